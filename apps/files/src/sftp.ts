/**
 * SFTP: an upgraded connection becomes that of OpenSSH's `sftp-server`, which runs beside this service as the same user. We
 * copy none of its bytes, unless the volume has no quota of its own: then what would be too much is refused here.
 *
 *   GET /v1/sftp?session=ID[&readonly=1]   Upgrade: sftp → 101, then the channel
 *   GET /v1/sftp?session=ID&log=1          Upgrade: sftp → 101, then what that session does: lines of `sftp-server -l INFO`
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { TokenCheck } from '@wakestone/protocol/token-check'
import type { Log } from './log.ts'
import { limitWrites, type Room } from './sftp-quota.ts'

const PROGRAMS = ['/usr/lib/openssh/sftp-server', '/usr/libexec/openssh/sftp-server', '/usr/lib/ssh/sftp-server']
/** Said by the program's own process: from its first byte on the connection is nobody else's. */
const BEGIN = `printf 'HTTP/1.1 101 Switching Protocols\\r\\nConnection: Upgrade\\r\\nUpgrade: sftp\\r\\n\\r\\n'; exec "$@"`
const SWITCHING = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: sftp\r\n\r\n'
const MOST_SESSIONS = 32
/** Kept of what nobody has asked for yet, and of what a slow reader has yet to take. */
const MOST_LOG_BYTES = 256 * 1024

type Session = { child: ChildProcess; waiting: Buffer[]; waitingBytes: number; reader?: Duplex }

export type SftpOptions = {
  server: Server
  root: string
  checkToken: TokenCheck<'files'>
  log: Log
  /** How much may still be written; undefined where the volume refuses by itself. */
  room: (() => Promise<Room>) | undefined
}

export function serveSftp({ server, root, checkToken, log, room }: SftpOptions) {
  const sessions = new Map<string, Session>()
  const program = PROGRAMS.find((path) => existsSync(path))

  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    socket.on('error', () => {})
    const claims = checkToken(request.headers.authorization)
    const url = new URL(request.url ?? '/', 'http://files')
    const id = url.searchParams.get('session') ?? ''
    if (url.pathname !== '/v1/sftp' || !/^[\w-]{16,64}$/.test(id)) return refuse(socket, 404)
    if (claims?.purpose !== 'sftp' && claims?.purpose !== 'control') return refuse(socket, claims ? 403 : 401)
    if (url.searchParams.has('log')) return tellLog(id, socket)
    if (head.length > 0 || sessions.has(id)) return refuse(socket, 400)
    if (program === undefined || sessions.size >= MOST_SESSIONS) return refuse(socket, 503)
    const readOnly = url.searchParams.has('readonly') ? ['-R'] : []
    const command = [program, '-e', '-l', 'INFO', '-u', '0022', '-d', root, ...readOnly]
    if (room === undefined) follow(id, handOver(socket, command))
    else void relay(socket, command, room).then((child) => child && follow(id, child))
  })

  function follow(id: string, child: ChildProcess) {
    const session: Session = { child, waiting: [], waitingBytes: 0 }
    sessions.set(id, session)
    child.on('error', (error) => log('error', 'sftp-server does not start', { error }))
    child.stderr?.on('data', (chunk: Buffer) => {
      const { reader } = session
      if (reader) return void (reader.writableLength < MOST_LOG_BYTES && reader.write(chunk))
      session.waiting.push(chunk)
      session.waitingBytes += chunk.length
      while (session.waitingBytes > MOST_LOG_BYTES) session.waitingBytes -= session.waiting.shift()?.length ?? Infinity
    })
    child.on('close', () => {
      sessions.delete(id)
      session.reader?.end()
    })
  }

  function tellLog(id: string, socket: Socket) {
    const session = sessions.get(id)
    if (session === undefined || session.reader) return refuse(socket, 404)
    session.reader = socket
    // The gateway has ended the session. A program that blocks on a named pipe does not notice by itself.
    for (const over of ['end', 'close']) socket.on(over, () => void session.child.kill('SIGKILL'))
    socket.write(SWITCHING)
    for (const chunk of session.waiting.splice(0)) socket.write(chunk)
    socket.resume()
  }

  return {
    /** A session that was handed over is no connection of ours any more. */
    isBusy: () => sessions.size > 0,
    close() {
      for (const { child } of sessions.values()) child.kill('SIGKILL')
    },
  }
}

const reasons: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  503: 'Service Unavailable',
}
function refuse(socket: Socket, status: number) {
  socket.end(`HTTP/1.1 ${status} ${reasons[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}

/** Whoever connects waits for 101, which comes from the program: nothing is read here that was meant for it. */
function handOver(socket: Socket, command: string[]): ChildProcess {
  const child = spawn('/bin/sh', ['-c', BEGIN, 'sftp', ...command], { stdio: [socket, socket, 'pipe'], cwd: '/' })
  socket.destroy()
  return child
}

async function relay(
  socket: Socket,
  [program = '', ...args]: string[],
  room: () => Promise<Room>,
): Promise<ChildProcess | undefined> {
  const filter = limitWrites(await room())
  if (socket.destroyed) return undefined
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'], cwd: '/' })
  for (const stream of [child.stdin, child.stdout]) stream.on('error', () => {})
  socket.write(SWITCHING)
  socket.pipe(filter.requests).pipe(child.stdin)
  child.stdout.pipe(filter.answers).pipe(socket)
  socket.on('close', () => child.stdin.destroy())
  for (const stream of [filter.requests, filter.answers]) stream.on('error', () => socket.destroy())
  return child
}
