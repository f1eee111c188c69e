/**
 * Time of a server that may be halted for hours and then goes on: what counts by the clock of the machine would be over
 * all at once, and players would be sent away before a word of theirs is read.
 */
import type { Client, Player, Squid } from './library.ts'

/** Ticks are 50 ms apart; one that comes so much later tells of a halt. */
const HALT_MS = 1000
const KEEP_ALIVE_MS = 4000
/** Questions that a player may leave unanswered: about half a minute. */
const MOST_UNANSWERED = 7

export function keepTime(serv: Squid): void {
  let last = Date.now()
  // Before the library's own, which removes what has lived too long.
  serv.prependListener('tick', () => {
    const now = Date.now()
    const halted = now - last
    last = now
    if (halted < HALT_MS) return
    for (const entity of Object.values(serv.entities)) if (entity.bornTime !== undefined) entity.bornTime += halted
  })
  serv.on('newPlayer', (player: Player) => askWhetherAlive(player._client))
}

/** In place of the library's, which counts by the clock. */
function askWhetherAlive(client: Client): void {
  let unanswered = 0
  let askedAt = 0
  const timer = setInterval(() => {
    if (unanswered >= MOST_UNANSWERED) return client.end('Timed out')
    unanswered++
    askedAt = Date.now()
    client.write('keep_alive', { keepAliveId: Math.floor(Math.random() * 2 ** 31) })
  }, KEEP_ALIVE_MS)
  client.on('keep_alive', () => {
    unanswered = 0
    client.latency = Date.now() - askedAt
  })
  client.on('end', () => clearInterval(timer))
}
