/** Who may come in, and what is kept of players. */
import type { Client, Player, Squid } from './library.ts'
import type { PlayerLists } from './player-lists.ts'

export type PlayerStore = {
  saveAll(): Promise<void>
  /** Sends everybody away and waits until what they carried is on disk. */
  dismissAll(reason: string): Promise<void>
}

/** Checks a client that is about to log in. @returns why it may not, or null. */
export function refuseLogin(serv: Squid, lists: PlayerLists, client: Client): string | null {
  if (!/^[A-Za-z0-9_]{1,16}$/.test(client.username)) return 'Invalid characters in username'
  const refusal = lists.refusalOf(client.username, client.socket?.remoteAddress)
  if (refusal !== null) return refusal
  if (serv._server.playerCount >= serv._server.maxPlayers) return 'The server is full!'
  return null
}

export function keepPlayers(serv: Squid): PlayerStore {
  const writes = new Map<string, Promise<void>>()

  serv.on('newPlayer', (player: Player) => {
    const write = player.save
    let complete = false
    // Emitted once the inventory is in place; written earlier, an empty one would replace it.
    player.once('spawned', () => (complete = true))
    player.save = () => {
      if (!complete || player.uuid === undefined) return Promise.resolve()
      const { uuid } = player
      const next = (writes.get(uuid) ?? Promise.resolve())
        .then(() => write())
        .catch((error: Error) => serv.err(`${player.username} could not be saved: ${error.message}`))
      writes.set(uuid, next)
      return next
    }
  })

  async function saveAll(): Promise<void> {
    await Promise.all(serv.players.map((player) => player.save()))
    await Promise.all(writes.values())
    writes.clear()
  }

  return {
    saveAll,
    async dismissAll(reason) {
      await saveAll()
      const gone = serv.players.map(
        (player) => new Promise<void>((resolve) => player.once('disconnected', () => resolve())),
      )
      for (const player of serv.players.slice()) player._client.end(reason)
      // A client that has fallen silent is not waited for.
      await Promise.race([Promise.all(gone), new Promise((resolve) => setTimeout(resolve, 1000))])
      await Promise.all(writes.values())
    },
  }
}
