/**
 * The preparation of a new server, an operation like others but for who does it: the reconciler, which takes the next
 * step by what it finds. It begins with the purchase and ends in the transaction in which the server is prepared.
 */
import { eventLevels } from '@wakestone/contract/ground/event'
import type { OperationPhase } from '@wakestone/contract/servers/operations'
import type { Handle, Transaction } from '#src/db/client.ts'
import { recordServerEvent } from '#src/features/ground/events/service.ts'
import * as repo from './repo.ts'

type Setup = { engine: string; version: string }

/** In the transaction that makes the server. */
export async function beginPreparation(
  trx: Transaction,
  { serverId, userId, setup }: { serverId: string; userId: string | null; setup: Setup },
): Promise<void> {
  const { id } = await repo.insertOperation(trx, {
    serverId,
    kind: 'prepare',
    exclusive: true,
    input: setup,
    about: setup,
    userId,
    dueAt: null,
  })
  await repo.forbidCancel(trx, id)
}

export type PreparationStep = {
  phase: OperationPhase<'prepare'>
  /** 0–1 of the whole. */
  progress: number
  item: string | null
}

/** Progress never goes backwards. Nothing happens to a server that is prepared. */
export const notePreparation = (db: Handle, serverId: string, step: PreparationStep): Promise<void> =>
  repo.writePreparation(db, serverId, step)

/** It went wrong and is tried again: whoever watches is told. */
export const noteTrouble = (db: Handle, serverId: string): Promise<void> => repo.countTrouble(db, serverId)

/** @param error why the server is not up, although all has been done for it */
export async function endPreparation(
  trx: Transaction,
  serverId: string,
  error: repo.OperationError | null = null,
): Promise<void> {
  const ended = await repo.endPreparation(trx, serverId, error)
  if (ended === undefined) return
  const { engine, version } = ended.input as Setup
  await recordServerEvent(trx, serverId, {
    action: 'SERVER_PREPARED',
    success: error === null,
    ...(error !== null && { level: eventLevels.ERROR, error }),
    data: {
      ...(ended.user_id !== null && { executor: ended.user_id }),
      process_id: ended.id,
      engine,
      engine_version: version,
      ...(error !== null && { outcome: 'failed' }),
    },
  })
}
