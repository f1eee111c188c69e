/**
 * What becomes of servers (and, in websites.ts, of websites) after their end, and of free ones that nobody uses: files are deleted, then the address is given
 * up. Each deletion is told at least three days before, however long no pass was made: the day is set when it is told
 * (`cleanup_date`), and a renewal takes it away. A pass may be killed at any line.
 */
import type { Context } from '#src/context.ts'
import { inTransaction } from '#src/db/client.ts'
import { notify } from '#src/features/ground/notifications/service.ts'
import {
  deleteFiles,
  endServer,
  findRentedServer,
  reconcileServer,
  setCleanup,
} from '#src/features/servers/servers/service.ts'
import { listAddOns, lockService, type ServiceRow, updateService } from '#src/features/sales/services/service.ts'
import { selectEndedWebsites } from '#src/features/websites/craftums/service.ts'
import { filesKept, warnedBefore } from './kept.ts'
import { selectEndedServices, selectUnusedFreeServices } from './repo.ts'
import { cleanUpWebsite } from './websites.ts'

const day = 86_400_000
/** After the end. */
const addressKept = 30 * day
/** Days without anybody. */
const unusedKept = 90 * day
const unusedWarnings = [1, 7, 14]

type Deps = Pick<Context, 'db' | 'boss' | 'settings' | 'logger'>

/** One pass. What fails for one service does not keep the others waiting. */
export async function cleanUp(deps: Deps, now: Date): Promise<void> {
  const before = new Date(now.getTime() - filesKept + warnedBefore)
  const ended = await selectEndedServices(deps.db, before, now)
  for (const { id } of ended) await attempt(deps, id, () => cleanUpEnded(deps, id, now))
  const websites = await selectEndedWebsites(deps.db, { before, now })
  for (const { id } of websites) await attempt(deps, id, () => cleanUpWebsite(deps, id, now))
  const unused = await selectUnusedFreeServices(deps.db, {
    now,
    since: new Date(now.getTime() - unusedKept + Math.max(...unusedWarnings) * day),
  })
  for (const row of unused) await attempt(deps, row.id, () => cleanUpUnused(deps, row, now))
}

async function attempt({ logger }: Deps, serviceId: string, action: () => Promise<void>): Promise<void> {
  try {
    await action()
  } catch (error) {
    logger.warn({ error, serviceId }, 'what is left of a service is not cleaned up yet')
  }
}

function cleanUpEnded(deps: Deps, id: string, now: Date): Promise<void> {
  return inTransaction(deps.db, async (trx) => {
    const service = await lockService(trx, id)
    if (service?.expires == null || service.expires > now) return // renewed meanwhile
    const server = await findRentedServer({ ...deps, db: trx }, id)
    if (server === undefined) return
    const since = now.getTime() - service.expires.getTime()
    const told = server.cleanup_date === null ? undefined : new Date(server.cleanup_date)
    // One that was told while it was a free server nobody used says nothing about its end; trials have a day of their own.
    const isOfEnd = server.testing || (told !== undefined && told.getTime() >= service.expires.getTime() + filesKept)
    const due = isOfEnd ? told : undefined
    if (server.files_deleted_at === null) {
      if (due === undefined) {
        const at = new Date(Math.max(service.expires.getTime() + filesKept, now.getTime() + warnedBefore))
        await setCleanup(trx, server.id, at)
        await notify(trx, {
          userId: service.owner_id,
          kind: 'SERVER_CLEANUP_WARNING',
          fields: { server: server.name, days: Math.ceil((at.getTime() - now.getTime()) / day) },
          resource: { type: 'server', id: server.id },
        })
      } else if (due <= now) await removeFiles(deps, trx, { service, server, now })
      return
    }
    if (since < addressKept - warnedBefore) return
    if (due === undefined) {
      const at = new Date(Math.max(service.expires.getTime() + addressKept, now.getTime() + warnedBefore))
      await setCleanup(trx, server.id, at)
      await notify(trx, {
        userId: service.owner_id,
        kind: 'SERVER_ADDRESS_WARNING',
        fields: { server: server.name, address: server.address, days: Math.ceil((at.getTime() - now.getTime()) / day) },
        resource: { type: 'server', id: server.id },
      })
    } else if (due <= now && server.volume_removed_at !== null) {
      for (const row of [service, ...(await listAddOns(trx, id))]) await updateService(trx, row.id, { ended_at: now })
      await endServer(trx, server.id, now)
    }
  })
}

type Found = NonNullable<Awaited<ReturnType<typeof findRentedServer>>>

/** From here on nothing brings them back; the reconciler removes the volume. */
async function removeFiles(
  deps: Deps,
  trx: Parameters<typeof setCleanup>[0],
  { service, server, now }: { service: ServiceRow; server: Found; now: Date },
): Promise<void> {
  await deleteFiles(trx, server.id, now)
  await notify(trx, {
    userId: service.owner_id,
    kind: 'SERVER_CLEANED_UP',
    fields: { server: server.name },
    resource: { type: 'server', id: server.id },
  })
  await reconcileServer(deps, trx, server.id)
}

function cleanUpUnused(deps: Deps, found: { id: string; last_used_at: Date }, now: Date): Promise<void> {
  return inTransaction(deps.db, async (trx) => {
    const service = await lockService(trx, found.id)
    if (service === undefined || (service.expires !== null && service.expires <= now)) return
    const server = await findRentedServer({ ...deps, db: trx }, found.id)
    if (server === undefined || server.files_deleted_at !== null) return
    const due = new Date(found.last_used_at.getTime() + unusedKept)
    const left = due.getTime() - now.getTime()
    const warned = server.cleanup_date === null ? undefined : new Date(server.cleanup_date)
    if (left <= 0 && warned !== undefined && warned <= now) {
      await removeFiles(deps, trx, { service, server, now })
      // Its end is now: the address is kept as that of any other.
      await updateService(trx, service.id, { expires: now, expiry_noted: now })
      return
    }
    const days = Math.min(...unusedWarnings.filter((some) => left <= some * day))
    if (warned === undefined) {
      await setCleanup(trx, server.id, new Date(Math.max(due.getTime(), now.getTime() + warnedBefore)))
    }
    await notify(trx, {
      userId: service.owner_id,
      kind: 'SERVER_CLEANUP_WARNING',
      fields: { server: server.name, days },
      resource: { type: 'server', id: server.id },
      dedupeKey: `unused:${service.id}:${found.last_used_at.toISOString()}:${days}`,
    })
  })
}
