/**
 * What time does to services: warnings before their end, renewal from the wallet, and the end itself. A pass looks at
 * all that is near; it may be killed at any line, and the next one does what is left, each thing once.
 */
import { DomainError } from '@wakestone/contract/errors'
import { type BillingPeriod, hoursOfPeriod } from '@wakestone/contract/primitives'
import type { Cost } from '@wakestone/contract/sales/product'
import type { Server } from '@wakestone/contract/servers/server'
import type { Context } from '#src/context.ts'
import { inTransaction, type Transaction } from '#src/db/client.ts'
import { recordServerEvent } from '#src/features/ground/events/service.ts'
import { notify } from '#src/features/ground/notifications/service.ts'
import { runDueActions } from '#src/features/sales/plans/service.ts'
import { aboutRented, findRented, nameOfRented } from '#src/features/sales/rented/service.ts'
import { createDiskMeter, reconcileServer, setCleanup } from '#src/features/servers/servers/service.ts'
import { lockService, type ServiceRow, updateService } from '#src/features/sales/services/service.ts'
import { isEndedByWithdrawal } from '#src/features/sales/withdrawals/service.ts'
import { getWallet } from '#src/features/money/wallets/service.ts'
import { cleanUp } from './after-end.ts'
import { filesKept, warnedBefore } from './kept.ts'
import { quoteItself, renewsBefore, showRenewal } from './quote.ts'
import { selectEndingServices } from './repo.ts'
import { renewService } from './service.ts'
import { type RenewalPrice, tellWebsiteEnd, warnOfWebsite } from './websites.ts'

const hour = 3_600_000
const day = 24 * hour
/** Before the end, in days. */
const warnings = [1, 3, 7]
const triesAgainAfter = hour

type Deps = Pick<Context, 'db' | 'boss' | 'settings' | 'fleet' | 'logger'>

/** One pass. What fails for one service does not keep the others waiting. */
export async function handleServiceClock(deps: Deps, now: Date): Promise<void> {
  await runDueActions(deps, createDiskMeter(deps), now)
  const promised: Promised = new Map()
  // By their end: who ends first takes first.
  for (const service of await selectEndingServices(deps.db, { now, days: Math.max(...warnings) })) {
    try {
      await handle(deps, service, { now, promised })
    } catch (error) {
      deps.logger.warn({ error, serviceId: service.id }, 'the clock of a service is not handled yet')
    }
  }
  await cleanUp(deps, now)
}

/** By wallet: what renewals that come before will take, minor units. */
type Promised = Map<string, number>

async function handle(
  deps: Deps,
  service: ServiceRow,
  { now, promised }: { now: Date; promised: Promised },
): Promise<void> {
  const { expires } = service
  if (expires === null) return
  const left = expires.getTime() - now.getTime()
  if (service.auto_renew && left <= renewsBefore && (await renewItself(deps, service, { expires, now }))) return
  if (left <= 0) return tellEnd(deps, service, { expires, now })
  const days = warnings.find((some) => left <= some * day)
  if (days === undefined) return
  if (!service.auto_renew) await warn(deps, service, { expires, days, now })
  // From a day before the end on it tries, and says itself that funds lack.
  else if (left > renewsBefore) await warnOfFunds(deps, service, { expires, days, now, promised })
}

/** @returns whether it was renewed, or its owner has decided otherwise meanwhile. */
async function renewItself(
  deps: Deps,
  service: ServiceRow,
  { expires, now }: { expires: Date; now: Date },
): Promise<boolean> {
  const failed = service.auto_renew_failed_at
  if (failed !== null && now.getTime() - failed.getTime() < triesAgainAfter) return false
  const period = service.billing_period as BillingPeriod
  try {
    await renewService(deps, {
      serviceId: service.id,
      executorId: null,
      decidedBy: expires,
      body: { billing_period: period, wallet_id: service.wallet_id },
      key: `auto:${expires.toISOString()}`,
      now,
    })
    return true
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    const price = (await quoteItself(deps, service, now))?.gross_price
    await inTransaction(deps.db, async (trx) => {
      const rented = await findRented({ ...deps, db: trx }, service.id)
      await updateService(trx, service.id, { auto_renew_failed_at: now })
      if (rented === undefined || price === undefined) return
      await notify(trx, {
        userId: service.owner_id,
        kind: 'AUTO_RENEW_FAILED',
        fields: { server: nameOfRented(rented), amount: price, expires: expires.toISOString() },
        ...aboutRented(rented),
        dedupeKey: `auto-renew:${service.id}:${expires.toISOString()}`,
      })
    })
    return false
  }
}

async function warn(
  deps: Deps,
  service: ServiceRow,
  { expires, days, now }: { expires: Date; days: number; now: Date },
): Promise<void> {
  const renewal = await showRenewal(deps, service, now)
  const price = renewal === null ? {} : priceOf(renewal.cost)
  await inTransaction(deps.db, async (trx) => {
    const rented = await findRented({ ...deps, db: trx }, service.id)
    if (rented === undefined) return
    if (rented.kind === 'website') return warnOfWebsite(trx, { service, website: rented.website, expires, days, price })
    const { server } = rented
    await notify(trx, {
      userId: service.owner_id,
      kind: 'SERVER_EXPIRES_WARNING',
      fields: { server: server.name, days, expires: expires.toISOString(), ...price },
      resource: { type: 'server', id: server.id },
      dedupeKey: `expires:${service.id}:${expires.toISOString()}:${days}`,
    })
  })
}

/** What renewing costs, and for how many days, as warnings say it. */
const priceOf = ({ gross_price: amount, period, add_hours: more }: Cost): RenewalPrice => ({
  amount,
  period: Math.floor((hoursOfPeriod(period) + more) / 24),
})

/** Whoever renews automatically is warned where that would fail: nothing else is left for them to do. */
async function warnOfFunds(
  deps: Deps,
  service: ServiceRow,
  { expires, days, now, promised }: { expires: Date; days: number; now: Date; promised: Promised },
): Promise<void> {
  const { balance } = await getWallet(deps.db, service.wallet_id)
  const price = (await quoteItself(deps, service, now))?.gross_price
  if (price === undefined) return
  const before = promised.get(service.wallet_id) ?? 0
  promised.set(service.wallet_id, before + price.amount)
  if (before + price.amount <= balance.amount) return
  await inTransaction(deps.db, async (trx) => {
    const rented = await findRented({ ...deps, db: trx }, service.id)
    if (rented === undefined) return
    await notify(trx, {
      userId: service.owner_id,
      kind: 'AUTO_RENEW_WARNING',
      fields: { server: nameOfRented(rented), days, amount: price, expires: expires.toISOString() },
      ...aboutRented(rented),
      dedupeKey: `auto-renew:${service.id}:${expires.toISOString()}:${days}`,
    })
  })
}

/** The server is stopped by its reconciler, a website is not shown any more; here it is told, and when its files go. */
async function tellEnd(deps: Deps, { id }: ServiceRow, { expires, now }: { expires: Date; now: Date }): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const service = await lockService(trx, id)
    // Renewed meanwhile, or told by another worker.
    if (service?.expires?.getTime() !== expires.getTime()) return
    if (service.expiry_noted?.getTime() === expires.getTime()) return
    await updateService(trx, id, { expiry_noted: expires })
    const rented = await findRented({ ...deps, db: trx }, id)
    if (rented === undefined) return
    const isTold = await isEndedByWithdrawal(trx, id, expires)
    if (rented.kind === 'website') return tellWebsiteEnd(trx, { service, website: rented.website, expires, isTold })
    const { server } = rented
    const deletedAt = await deletionOf(trx, server, { expires, now })
    if (!isTold) {
      const eventId = await recordServerEvent(trx, server.id, {
        action: 'SERVER_EXPIRED',
        data: { expires: expires.toISOString() },
      })
      await notify(trx, {
        userId: service.owner_id,
        kind: 'SERVER_EXPIRED',
        fields: { server: server.name, deleted_at: deletedAt.toISOString() },
        resource: { type: 'server', id: server.id },
        eventId,
      })
    }
    await reconcileServer(deps, trx, server.id)
  })
}

/** A trial goes on a day of its own, of which it hears nothing else: late news of its end move that day. */
async function deletionOf(
  trx: Transaction,
  server: Server,
  { expires, now }: { expires: Date; now: Date },
): Promise<Date> {
  if (!server.testing || server.cleanup_date === null) return new Date(expires.getTime() + filesKept)
  const at = new Date(Math.max(Date.parse(server.cleanup_date), now.getTime() + warnedBefore))
  await setCleanup(trx, server.id, at)
  return at
}
