/** Operations on worlds: with the game down, or beside it where nothing has the world open. */
import { DomainError } from '@wakestone/contract/errors'
import { eventLevels } from '@wakestone/contract/ground/event'
import type { Transaction } from '#src/db/client.ts'
import { recordServerEvent } from '#src/features/ground/events/service.ts'
import { backUp, discardBackup, verifyBackup } from '#src/features/servers/backups/service.ts'
import { warnBefore } from '#src/features/servers/countdown/service.ts'
import { filesOf } from '#src/features/servers/files/service.ts'
import { letDrawAgain } from '#src/features/servers/mapview/service.ts'
import { defineOperation, type Ended, type Step, untilDown, untilUp } from '#src/features/servers/operations/service.ts'
import { findServer } from '#src/features/servers/servers/service.ts'
import { perform, takeBack, type WorldStep } from './act.ts'
import type { WorldAction, WorldInput, WorldNotes } from './wish.ts'

const asPlain = (step: WorldStep) => step as unknown as Step<never, never>

async function findFiles({ deps, serverId }: WorldStep) {
  const server = await findServer(deps.db, serverId)
  if (server === undefined) throw new DomainError('server_id_not_found', { resource: 'server' })
  return filesOf(deps, server)
}

const events = {
  edit: 'SERVER_WORLD_EDIT',
  duplicate: 'SERVER_WORLD_DUPLICATE',
  rename: 'SERVER_WORLD_RENAME',
  reset: 'SERVER_WORLD_RESET',
  switch: 'SERVER_WORLD_SWITCH',
  create: 'SERVER_WORLD_CREATE',
  delete: 'SERVER_WORLD_DELETE',
  import: 'SERVER_WORLD_IMPORT',
  prune: 'SERVER_WORLD_PRUNE',
} as const satisfies Record<WorldAction, string>

async function tellEnd(trx: Transaction, end: Ended<WorldInput, WorldNotes>): Promise<void> {
  const { serverId, operationId, userId, input, outcome, error } = end
  const isDone = outcome === 'done'
  if (isDone && ['switch', 'create'].includes(input.act.action)) await letDrawAgain(trx, serverId)
  await recordServerEvent(trx, serverId, {
    action: events[input.act.action],
    success: isDone,
    ...(!isDone && outcome !== 'cancelled' && { level: eventLevels.ERROR }),
    ...(error !== null && { error }),
    data: {
      ...(userId !== null && { executor: userId }),
      process_id: operationId,
      ...input.told,
      ...(!isDone && { outcome }),
    },
  })
}

export const worldChange = defineOperation<'world_change', WorldInput, WorldNotes>('world_change', {
  exclusive: true,
  phases: {
    warn: warnBefore('world'),
    stop: { weight: 15, needsDown: true, run: untilDown },
    backup: {
      weight: 25,
      needsDown: true,
      async run(step) {
        if (!step.input.isBackedUp) return
        const wish = {
          kind: 'safety',
          cause: 'world_change',
          name: null,
          pinned: false,
          skipsUnchanged: false,
        } as const
        await backUp(asPlain(step), wish)
        await verifyBackup(asPlain(step))
      },
      undo: (step) => discardBackup(asPlain(step)),
    },
    change: {
      weight: 30,
      needsDown: true,
      run: async (step) => perform(step, await findFiles(step)),
      async undo(step) {
        await untilDown(step)
        await takeBack(step, await findFiles(step))
      },
    },
    start: { weight: 30, run: untilUp },
  },
  ended: tellEnd,
})

export const worldWork = defineOperation<'world_work', WorldInput, WorldNotes>('world_work', {
  exclusive: true,
  phases: {
    change: {
      weight: 1,
      run: async (step) => perform(step, await findFiles(step)),
      undo: async (step) => takeBack(step, await findFiles(step)),
    },
  },
  ended: tellEnd,
})
