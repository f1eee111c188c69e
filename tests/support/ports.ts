/**
 * Ports to listen on. They lie below those which the system hands out for outgoing connections, so that none is taken
 * between being found free and being listened on; test files that run side by side draw from ranges of their own.
 */
import { randomInt } from 'node:crypto'
import { connect, createServer } from 'node:net'

const lowest = 10_000 + (Number(process.env['VITEST_POOL_ID'] ?? 0) % 8) * 2500

/** Ports for a copy of the product, whose companions (metrics, stand-ins) are free too. */
export async function findFreePorts(): Promise<{ http: number; game: number; sftp: number }> {
  for (;;) {
    const http = lowest + randomInt(2200)
    const [game, sftp] = [http + 1, http + 2]
    const wanted = [
      http,
      game,
      sftp,
      http + 100,
      http + 101,
      http + 102,
      http + 200,
      http + 201,
      http + 202,
      http + 203,
    ]
    if ((await Promise.all(wanted.map(isFree))).every(Boolean)) return { http, game, sftp }
  }
}

export async function findFreePort(): Promise<number> {
  return (await findFreePorts()).http
}

/** Whether the port can be listened on, on every address. */
function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(false))
    server.listen(port, () => server.close(() => resolve(true)))
  })
}

/** Whether somebody listens there. */
export function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => (socket.destroy(), resolve(true)))
    socket.on('error', () => resolve(false))
  })
}
