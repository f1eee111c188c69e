/**
 * Ends workloads on purpose. Why is written before it is done: whoever finds one gone, after a worker has been killed in
 * between, knows that nothing has crashed, and tells what was to be told.
 */
import { eventLevels, type PodRemoval } from '@wakestone/contract/ground/event'
import type { Fleet } from '#src/adapters/clusters/fleet.ts'
import type { Context } from '#src/context.ts'
import { inTransaction } from '#src/db/client.ts'
import { recordServerEvent } from '#src/features/ground/events/service.ts'
import type { ServerRow } from '#src/features/servers/servers/service.ts'
import * as looks from './looks-repo.ts'
import { notePlayersLost } from '#src/features/servers/players/service.ts'
import { writeCheckpointed, writeLost } from './observed-repo.ts'

/** A game that should have ended may take so much longer than it was given before its sandbox is ended. */
const endsLateMilliseconds = 15_000

/** Of interest to whoever looks for a fault only. */
const silent: readonly PodRemoval[] = ['sleep', 'unused', 'checkpoint']

export function createRemover({
  context: { db, logger },
  fleet,
}: {
  context: Pick<Context, 'db' | 'logger'>
  fleet: Pick<Fleet, 'cluster'>
}) {
  async function removeWorkload(serverId: string, removal: PodRemoval): Promise<void> {
    await looks.writeRemoval(db, serverId, removal)
    await fleet.cluster.remove(serverId)
    await noteRemoved(serverId, removal)
  }

  async function noteRemoved(serverId: string, removal: PodRemoval): Promise<void> {
    if (removal === 'unresponsive') logger.warn({ serverId }, 'a game did not end; its sandbox was ended')
    await inTransaction(db, async (trx) => {
      await notePlayersLost(trx, serverId)
      await writeLost(trx, serverId, { giveUp: false, retryAt: null })
      if (removal === 'checkpoint') await writeCheckpointed(trx, serverId, new Date())
      await looks.forgetAnswers(trx, serverId)
      await recordServerEvent(trx, serverId, {
        action: 'SERVER_POD_DELETED',
        ...(silent.includes(removal) && { level: eventLevels.DEBUG }),
        data: { cause: removal },
      })
    })
  }

  /**
   * A game that should have ended, and by the word of its supervisor has not: its sandbox is ended when its time is over.
   * @returns when that is or was; undefined when it has ended.
   */
  async function endIfLate(server: ServerRow, isDue: boolean): Promise<Date | undefined> {
    const since = await looks.noteEnding(db, server.id, isDue)
    if (since === null) return undefined
    const end = new Date(since.getTime() + server.stop_timeout * 1000 + endsLateMilliseconds)
    if (end.getTime() > Date.now()) return end
    await removeWorkload(server.id, 'unresponsive')
    return new Date()
  }

  /**
   * Ends what goes on of a game that is down by the word of its supervisor, which is not enough: it would go on under a
   * panel that says it is off. @returns whether the supervisor was ended with it.
   */
  async function endWhatIsLeft({ id }: Pick<ServerRow, 'id'>): Promise<boolean> {
    if (await fleet.cluster.gameIsGone(id)) return false
    await looks.writeRemoval(db, id, 'unresponsive')
    if ((await fleet.cluster.endGame(id)) === 'gone') {
      await looks.writeRemoval(db, id, null)
      return false
    }
    await noteRemoved(id, 'unresponsive')
    return true
  }

  return { removeWorkload, noteRemoved, endIfLate, endWhatIsLeft }
}

export type Remover = ReturnType<typeof createRemover>
