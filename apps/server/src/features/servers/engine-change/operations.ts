/** Change of the engine, the way back, and a format: one set of phases, put together differently. */
import { eventLevels } from '@wakestone/contract/ground/event'
import type { Transaction } from '#src/db/client.ts'
import { recordServerEvent } from '#src/features/ground/events/service.ts'
import { defineOperation, type Ended } from '#src/features/servers/operations/service.ts'
import * as phases from './phases.ts'
import { expireOtherSnapshots, insertSnapshot } from './repo.ts'

type End = Ended<phases.SetupInput, phases.SetupNotes>

/** How long one may go back. */
const keptMilliseconds = 7 * 86_400_000

/** The copy from before is what one can go back to from now on. */
async function keepWayBack(trx: Transaction, { operationId, serverId, notes, outcome }: End): Promise<void> {
  if (outcome !== 'done' || notes.snapshot !== true || notes.before === undefined) return
  const expires = new Date(Date.now() + keptMilliseconds)
  await insertSnapshot(trx, { id: operationId, serverId, setup: notes.before, expires })
  await expireOtherSnapshots(trx, serverId, operationId)
}

/** What every event about one of these says. */
function factsOf({ operationId, userId, outcome, error, notes }: End) {
  const isDone = outcome === 'done'
  return {
    facts: {
      success: isDone,
      ...(outcome !== 'done' && outcome !== 'cancelled' && { level: eventLevels.ERROR }),
      ...(error !== null && { error }),
    },
    data: {
      ...(userId !== null && { executor: userId }),
      process_id: operationId,
      ...(!isDone && { outcome }),
      ...(isDone && notes.snapshot === true && { backup_id: operationId }),
    },
  }
}

const nameOf = (setup: { engine: string; version: string } | null | undefined) =>
  setup == null ? '' : `${setup.engine} ${setup.version}`

async function tellEngineChange(trx: Transaction, end: End): Promise<void> {
  await keepWayBack(trx, end)
  const { facts, data } = factsOf(end)
  const engines = { old_engine: nameOf(end.notes.before), new_engine: nameOf(end.input.setup) }
  await recordServerEvent(trx, end.serverId, {
    action: 'SERVER_CHANGE_ENGINE',
    ...facts,
    data: { ...data, ...engines },
  })
}

const { stop, backup, snapshot, erase, restore, install, start } = phases

export const engineChange = defineOperation('engine_change', {
  exclusive: true,
  phases: { stop, backup: backup('engine_change'), snapshot, erase, install, start },
  ended: tellEngineChange,
})

export const engineReturn = defineOperation('engine_return', {
  exclusive: true,
  phases: { stop, snapshot, restore, install, start },
  ended: tellEngineChange,
})

export const format = defineOperation('format', {
  exclusive: true,
  phases: { stop, backup: backup('format'), snapshot, erase, install, start },
  async ended(trx: Transaction, end: End) {
    await keepWayBack(trx, end)
    const { facts, data } = factsOf(end)
    const kept = { keep_paths: end.input.keep ?? [] }
    await recordServerEvent(trx, end.serverId, { action: 'SERVER_FORMAT', ...facts, data: { ...data, ...kept } })
  },
})
