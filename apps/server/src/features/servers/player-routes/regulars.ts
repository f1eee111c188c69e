/** Who has played on servers, for gateways that keep bots out: read now and then, since most of it is as it was. */
import { knownPlayersLimit, markPlayers } from '@wakestone/protocol/antibot'
import type { Handle } from '#src/db/client.ts'
import { selectRegulars } from '#src/features/servers/players/service.ts'

/** Gateways remember by themselves who has come in the meantime. */
const readAgainMilliseconds = 300_000
/** Bots leave, or are sent away, sooner. */
const staySeconds = 60

export function createRegulars(db: Handle): { marksOf(serverIds: string[]): Promise<Map<string, string>> } {
  const read = new Map<string, { marks: string; at: number }>()
  return {
    async marksOf(serverIds) {
      const now = performance.now()
      const due = serverIds.filter((id) => now - (read.get(id)?.at ?? Number.NEGATIVE_INFINITY) > readAgainMilliseconds)
      if (due.length > 0) {
        const names = await selectRegulars(db, due, { seconds: staySeconds, most: knownPlayersLimit })
        // Those read together are not all due together again.
        for (const id of due)
          read.set(id, {
            marks: markPlayers(id, names.get(id) ?? []),
            at: now - Math.random() * (readAgainMilliseconds / 2),
          })
      }
      return new Map(serverIds.map((id) => [id, read.get(id)?.marks ?? '']))
    },
  }
}
