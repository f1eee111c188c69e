/**
 * A supervisor that is about to be written to disk with its frozen game: nothing leads out of the sandbox then. Whoever
 * writes it, and whoever brings it back, tells it to go on by a signal; if nobody does, it goes on by itself.
 */
import { rmSync } from 'node:fs'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from './log.ts'
import type { Supervisor } from './supervisor.ts'

/** Of the supervisor's own time, which stands still while it is on disk. */
const ALONE_MS = 15_000
const CLOSED_MS = 1_000
/** The clock of the wall has gone so much further than our own: it has been on disk. */
const AWAY_MS = 1_000

type Door = { server: Server; stream: { drop(): void }; listen: () => void }

export type Rest = ReturnType<typeof createRest>

export function createRest({
  supervisor,
  log,
  aloneMs = ALONE_MS,
}: {
  supervisor: Pick<Supervisor, 'rest' | 'goOn'>
  log: Log
  aloneMs?: number
}) {
  const connections = new Set<Socket>()
  let door: Door | undefined
  let began: { wall: number; own: number } | undefined
  let timer: NodeJS.Timeout | undefined

  function goOn() {
    if (began === undefined) return
    const ownMs = performance.now() - began.own
    const awayMs = Date.now() - began.wall - ownMs
    began = undefined
    clearTimeout(timer)
    door?.listen()
    log('info', 'going on', { awayMs: Math.round(awayMs) })
    supervisor.goOn(awayMs > AWAY_MS ? awayMs : null)
  }

  return {
    /** What is to be closed. */
    attach(parts: Door) {
      door = parts
      parts.server.on('connection', (socket: Socket) => {
        connections.add(socket)
        socket.on('close', () => connections.delete(socket))
      })
    },
    /**
     * Closes all but the connection of whoever asks, who is to be answered on it once and for all.
     * @throws ConflictError while it may not rest
     */
    async begin(asker: Socket | null) {
      supervisor.rest()
      if (began === undefined) {
        began = { wall: Date.now(), own: performance.now() }
        timer = setTimeout(goOn, aloneMs)
      }
      door?.stream.drop()
      door?.server.close()
      const others = () => [...connections].filter((socket) => socket !== asker)
      for (const socket of others()) socket.destroy()
      for (const end = performance.now() + CLOSED_MS; others().length > 0 && performance.now() < end;) await delay(5)
    },
    goOn,
  }
}

/** How a supervisor listens; a socket is left behind by one that was killed. */
export function listenOn(server: Server, listen: { socket: string } | { port: number }, ready: (path: string) => void) {
  if (!('socket' in listen)) return void server.listen(listen.port)
  rmSync(listen.socket, { force: true })
  server.listen(listen.socket, () => ready(listen.socket))
}
