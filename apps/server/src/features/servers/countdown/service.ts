/** Stops and restarts with a countdown, so that players are not thrown out unwarned. */
import { DomainError } from '@wakestone/contract/errors'
import type { CountedAction } from '@wakestone/contract/servers/countdown'
import type { Context } from '#src/context.ts'
import { inTransaction, type Transaction } from '#src/db/client.ts'
import { recordServerEvent } from '#src/features/ground/events/service.ts'
import { beginOperation, cancelOpen } from '#src/features/servers/operations/service.ts'
import {
  findLocked,
  requireFitting,
  requireRunnable,
  restartServerWithin,
  type ServerRow,
  stopServerWithin,
} from '#src/features/servers/servers/service.ts'
import type { Wish } from './operation.ts'

export { countdown } from './operation.ts'
export { type WarnedInput, warnBefore, type WarningNotes } from './warn.ts'

type Deps = Pick<Context, 'db' | 'boss' | 'settings'>
type Ask = { userId: string; timeout: number; seconds: number }

/**
 * Stops or restarts a server: at once, or after a countdown if somebody is playing. Replaces a countdown that is already
 * running.
 */
export async function endGame(
  deps: Deps,
  serverId: string,
  action: CountedAction,
  { userId, timeout, seconds }: Ask,
): Promise<ServerRow> {
  return inTransaction(deps.db, async (trx) => {
    const server = await findLocked(trx, serverId)
    await cancelOpen(deps, trx, { serverId, kind: 'countdown' })
    if (seconds === 0 || server.players_online === 0) {
      const act = action === 'stop' ? stopServerWithin : restartServerWithin
      return act(deps, trx, serverId, { executor: { userId }, timeout })
    }
    if (action === 'restart') requireRunnable(server)
    requireFitting(server, action)
    await beginCountdown(deps, trx, { server, action, userId, timeout, seconds })
    return server
  })
}

type Begun = Ask & { server: ServerRow; action: CountedAction }

async function beginCountdown(
  { boss }: Deps,
  trx: Transaction,
  { server, action, userId, timeout, seconds }: Begun,
): Promise<void> {
  const at = new Date(Date.now() + seconds * 1000).toISOString()
  const input: Wish = { action, at, seconds, timeout, restarts: server.restarts_wanted }
  const about = { action, at }
  const serverId = server.id
  await beginOperation({ boss }, trx, { serverId, kind: 'countdown', exclusive: false, input, about, userId })
  const data = { executor: userId, restart: action === 'restart', in_seconds: seconds }
  await recordServerEvent(trx, serverId, { action: 'SERVER_COUNTDOWN', data })
}

/** @throws DomainError `process_not_found` where nothing counts down */
export async function cancelCountdown({ db, boss }: Deps, serverId: string, userId: string): Promise<void> {
  await inTransaction(db, async (trx) => {
    const [cancelled] = await cancelOpen({ boss }, trx, { serverId, kind: 'countdown' })
    if (cancelled === undefined) throw new DomainError('process_not_found', { resource: 'process' })
    const data = { executor: userId, restart: cancelled['action'] === 'restart' }
    await recordServerEvent(trx, serverId, { action: 'SERVER_COUNTDOWN_CANCEL', data })
  })
}
