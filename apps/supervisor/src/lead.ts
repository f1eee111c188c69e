/** Leads who arrives at a port to the game's own loopback address, where nobody outside can do that. */
import { connect, createServer } from 'node:net'
import type { Log } from './log.ts'

/** Connections at once; a game takes fewer players. */
const MOST = 2_000

/** @param to the game's port, while it has one */
export function leadPlayers({ port, to, log }: { port: number; to: () => number | null; log: Log }) {
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (from) => {
    const target = to()
    if (target === null) return void from.destroy()
    const game = connect({ host: '127.0.0.1', port: target, allowHalfOpen: true, noDelay: true })
    for (const [one, other] of [
      [from, game],
      [game, from],
    ] as const)
      one.on('error', () => other.destroy()).on('close', () => other.destroy())
    from.pipe(game).pipe(from)
  })
  server.maxConnections = MOST
  server.on('error', (error) => log('error', 'players cannot be led to the game', { error }))
  server.listen(port)
  return server
}
