/** Joins a player's connection to a game's: bytes pass both ways untouched until either side is done. */
import { connect, type Socket } from 'node:net'
import type { GameWay } from '@wakestone/protocol/gateway'
import { openTunnel } from '@wakestone/protocol/tunnel'

/** Once one direction has ended, how long the other may be silent before both are given up. */
const HALF_CLOSED_IDLE_MS = 30_000
const KEEP_ALIVE_MS = 60_000
/** Room for what a game sends, one per player; only pages that were ever filled take memory. */
const ROOM_BYTES = 64 * 1024

/**
 * Dials a game. The player's connection must be paused and stays so.
 * @throws the socket's error, or ETIMEDOUT; and ECANCELED when the player left meanwhile.
 */
export function dialBackend(options: {
  host: string
  port: number
  timeoutMs: number
  player: Socket
}): Promise<Socket> {
  const { host, port, timeoutMs, player } = options
  return new Promise((resolve, reject) => {
    const room = Buffer.allocUnsafeSlow(ROOM_BYTES)
    let waiting = false
    const flushed = () => {
      if (!waiting || player.writableLength > 0) return
      waiting = false
      backend.resume()
    }
    const backend = connect({
      onread: {
        buffer: room,
        callback(count) {
          player.write(room.subarray(0, count), flushed)
          waiting = player.writableLength > 0
          return !waiting
        },
      },
      host,
      port,
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: KEEP_ALIVE_MS,
      allowHalfOpen: true,
    })
    const timer = setTimeout(() => fail('ETIMEDOUT'), timeoutMs)
    const left = () => fail('ECANCELED')
    const failed = (error: NodeJS.ErrnoException) => fail(error.code ?? 'EUNKNOWN')

    function settle() {
      clearTimeout(timer)
      player.off('close', left)
      backend.off('error', failed)
      backend.on('error', () => {}) // whatever still comes is followed by `close`
    }
    function fail(code: string) {
      settle()
      backend.destroy()
      reject(Object.assign(new Error(`${code} ${host}:${port}`), { code }))
    }

    player.once('close', left)
    backend.once('error', failed)
    backend.once('connect', () => {
      settle()
      resolve(backend)
    })
  })
}

/**
 * The same through the agent of the machine that the game is on.
 * @throws as `dialBackend` does; ECONNREFUSED when there is no game, EACCES when the agent does not take the ticket
 */
export async function dialThroughAgent(
  { agent, ticket }: GameWay,
  { serverId, timeoutMs, player }: { serverId: string; timeoutMs: number; player: Socket },
): Promise<Socket> {
  const backend = await openTunnel(agent, { serverId, to: 'game', ticket }, timeoutMs)
  backend.on('error', () => {}) // followed by `close`
  if (player.destroyed) {
    backend.destroy()
    throw Object.assign(new Error('the player has left'), { code: 'ECANCELED' })
  }
  backend.on('data', (chunk: Buffer) => {
    if (player.write(chunk)) return
    backend.pause()
    player.once('drain', () => backend.resume())
  })
  return backend
}

/** Lets both directions flow, slowed down by whichever reader is slower. Calls `onEnd` once, when both sides are closed. */
export function splice(player: Socket, backend: Socket, onEnd: () => void): void {
  // Not before: most connections only ask for the status, and each of these costs system calls.
  player.setNoDelay(true)
  player.setKeepAlive(true, KEEP_ALIVE_MS)
  let open = 2
  player.pipe(backend) // passes the end on as well, once everything before it is written
  backend.once('end', () => player.end())
  for (const [from, to] of [
    [player, backend],
    [backend, player],
  ] as const) {
    from.once('end', () => {
      player.setTimeout(HALF_CLOSED_IDLE_MS)
      backend.setTimeout(HALF_CLOSED_IDLE_MS)
    })
    from.once('timeout', () => from.destroy())
    from.once('close', () => {
      // Closed without an end: broken, so the other side must not wait for more.
      if (!from.readableEnded) to.destroy()
      open -= 1
      if (open === 0) onEnd()
    })
  }
}
