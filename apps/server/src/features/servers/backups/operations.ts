/** The kinds of operations around backups, put together from their phases. */
import type { BackupCause } from '@wakestone/contract/servers/backups'
import { eventLevels } from '@wakestone/contract/ground/event'
import type { Transaction } from '#src/db/client.ts'
import { recordServerEvent } from '#src/features/ground/events/service.ts'
import { notify } from '#src/features/ground/notifications/service.ts'
import { defineOperation, type Ended, type Step, untilUp } from '#src/features/servers/operations/service.ts'
import { backUp, type BackupWish, discardBackup, verifyBackup } from './back-up.ts'
import { forgetOld, removeForgotten } from './forget.ts'
import * as repo from './repo.ts'
import { explaining } from './repository.ts'
import * as phases from './restore.ts'
import { holdWorld, releaseWorld } from './world-hold.ts'

type BackupNotes = {
  /** Nothing had changed: there is no other backup than before. */
  unchanged: boolean
}
type BackupStep = Step<BackupWish, BackupNotes>
const asPlain = (step: unknown) => step as Step<never, never>

/** What every event about one of these says. */
function factsOf({ operationId, userId, outcome, error }: Ended<unknown, unknown>) {
  const isDone = outcome === 'done'
  return {
    facts: {
      success: isDone,
      ...(!isDone && outcome !== 'cancelled' && { level: eventLevels.ERROR }),
      ...(error !== null && { error }),
    },
    data: {
      ...(userId !== null && { executor: userId }),
      process_id: operationId,
      ...(!isDone && { outcome }),
    },
  }
}

export const backup = defineOperation('backup', {
  exclusive: true,
  phases: {
    flush: {
      weight: 10,
      run: (step: BackupStep) => holdWorld(asPlain(step)),
      undo: (step: BackupStep) => releaseWorld(step),
    },
    backup: {
      weight: 60,
      async run(step: BackupStep) {
        const made = await backUp(asPlain(step), step.input)
        await step.note({ unchanged: made === undefined })
      },
      undo: (step: BackupStep) => discardBackup(asPlain(step)),
    },
    verify: {
      weight: 20,
      run: (step: BackupStep) => verifyBackup(asPlain(step)),
    },
    forget: {
      weight: 10,
      async run(step: BackupStep) {
        await forgetOld(step.deps.db, step.serverId)
        const row = await repo.findRepository(step.deps.db, step.serverId)
        if (row !== undefined) await explaining(() => removeForgotten(step.deps, row, step.signal))
      },
    },
  },
  async ended(trx: Transaction, end: Ended<BackupWish, BackupNotes>) {
    const { serverId, operationId, input, outcome, error, notes } = end
    const row = await repo.findRepository(trx, serverId)
    const isFailed = outcome === 'failed' || outcome === 'rolled_back'
    if (row !== undefined) {
      const failure = isFailed
        ? { failed_at: new Date(), failure: error?.code ?? null }
        : { failed_at: null, failure: null }
      await repo.updateRepository(trx, row.id, { tried_at: new Date(), ...(outcome !== 'cancelled' && failure) })
    }
    if (notes.unchanged === true && outcome === 'done') return
    const made = await repo.findBackupOfOperation(trx, operationId)
    const { facts, data } = factsOf(end)
    await recordServerEvent(trx, serverId, {
      action: 'SERVER_BACKUP',
      ...facts,
      data: {
        ...data,
        ...(made !== undefined && outcome === 'done' && { backup_id: made.id, incomplete: made.incomplete }),
        cause: input.cause,
      },
    })
    if (isFailed && input.kind === 'auto') await tellOwner(trx, serverId, row?.failed_at ?? null)
  },
})

/** Once a day at most: the same trouble comes back with each try. */
async function tellOwner(trx: Transaction, serverId: string, failedBefore: Date | null): Promise<void> {
  const server = await repo.findNames(trx, serverId)
  if (server === undefined || (failedBefore !== null && Date.now() - failedBefore.getTime() < 86_400_000)) return
  await notify(trx, {
    userId: server.owner_id,
    resource: { type: 'server', id: serverId },
    kind: 'SERVER_BACKUP_FAILED',
    fields: { server: server.name },
  })
}

async function tellRestore(trx: Transaction, end: Ended<phases.RestoreInput, phases.RestoreNotes>): Promise<void> {
  const { facts, data } = factsOf(end)
  const { backupId, paths } = end.input
  await recordServerEvent(trx, end.serverId, {
    action: 'SERVER_RESTORE_BACKUP',
    ...facts,
    data: {
      ...data,
      backup_id: backupId,
      cause: 'restore' satisfies BackupCause,
      ...(paths !== null && { paths: paths.slice(0, 20) }),
    },
  })
}

const downWhile = <Part extends object>(part: Part) => ({ ...part, needsDown: true })

export const backupRestore = defineOperation('backup_restore', {
  exclusive: true,
  phases: {
    warn: phases.warn,
    stop: phases.stop,
    backup: downWhile(phases.safety),
    fetch: downWhile(phases.fetch),
    replace: downWhile(phases.replace),
    install: phases.install,
    start: {
      weight: 15,
      async run(step: Step<phases.RestoreInput, phases.RestoreNotes>) {
        await untilUp(asPlain(step))
        await phases.removeStaged(step)
      },
    },
  },
  ended: tellRestore,
})

export const backupRetrieve = defineOperation('backup_retrieve', {
  exclusive: true,
  phases: { backup: phases.safety, fetch: phases.fetch, replace: phases.replaceSome },
  ended: tellRestore,
})
