/** Brings a sleeping server back, and its supervisor without the game where only that is needed. */
import { DomainError } from '@wakestone/contract/errors'
import type { Context } from '#src/context.ts'
import { inTransaction, type Handle, type Transaction } from '#src/db/client.ts'
import { recordServerEvent } from '#src/features/ground/events/service.ts'
import { requirePlace } from '#src/features/servers/free-places/service.ts'
import { requestReconcile } from './jobs.ts'
import { findLocked, requireRunnable } from './power.ts'
import { expectedWake, isSleeping, shouldRun } from './status.ts'
import { writeNeeded, writePinged, writeWoken } from './wanted-repo.ts'

type WakeDeps = Pick<Context, 'db' | 'boss' | 'settings'>
export type WakeCause = { because: 'player' | 'schedule' | 'ping'; name?: string; address?: string; userId?: string }

/**
 * Wakes a server that sleeps; nothing happens to one that is awake.
 * @returns seconds until it can be joined, by its last starts; null: nobody knows.
 * @throws DomainError for one that its owner has stopped, that may not run, or that finds no place for free servers.
 */
export function wakeServer(
  deps: WakeDeps,
  serverId: string,
  cause: WakeCause,
): Promise<{ expectedSeconds: number | null }> {
  return inTransaction(deps.db, (trx) => wakeWithin(trx, deps, serverId, cause))
}

async function wakeWithin(
  trx: Transaction,
  { boss, settings }: WakeDeps,
  serverId: string,
  { because, name, userId }: WakeCause,
): Promise<{ expectedSeconds: number | null }> {
  const server = await findLocked(trx, serverId)
  requireRunnable(server)
  if (!shouldRun(server)) throw new DomainError('server_is_not_running', { resource: 'server' })
  if (isSleeping(server)) {
    await requirePlace(trx, server, { settings, now: new Date() })
    await writeWoken(trx, serverId)
    await recordServerEvent(trx, serverId, {
      action: 'SERVER_WAKE',
      data: { executor: userId, cause: because, player: name },
    })
    await requestReconcile(boss, trx, serverId)
  }
  return { expectedSeconds: server.phase === 'frozen' ? 1 : expectedWake(server) }
}

/** Keeps a server awake for so long, and wakes it: both, or neither. */
export function pingServerFor(
  deps: WakeDeps,
  serverId: string,
  { seconds, userId }: { seconds: number; userId: string },
): Promise<void> {
  return inTransaction(deps.db, async (trx) => {
    await wakeWithin(trx, deps, serverId, { because: 'ping', userId })
    await writePinged(trx, serverId, seconds)
  })
}

/** Keeps the supervisor of a server without a game up for so long. The game stays down. */
export function needWorkload(db: Handle, serverId: string, seconds: number): Promise<void> {
  return writeNeeded(db, serverId, seconds)
}
