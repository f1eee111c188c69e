/** The door for SFTP: OpenSSH's clients and all others that speak version 2 of SSH. */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { SftpSession } from '@wakestone/contract/servers/remotefs'
import { createLogger, type Logger } from '@wakestone/kit/logger'
import { sshHostKeys } from '@wakestone/kit/ssh-host-keys'
import ssh2, { type AcceptConnection, type Connection, type ServerChannel, type Session } from 'ssh2'
import { createAddressLimits } from '../address-limits.ts'
import { type ApiCalls, createApiCalls, Refused, type WatchEnd } from './api-calls.ts'
import { createLogin } from './login.ts'
import type { SftpFigures, SftpOptions } from './options.ts'
import { joinBox } from './session.ts'

/** From the first byte to being let in; and what somebody who is in may do nothing. */
const LOGIN_MS = 60_000
const MAX_CONNECTIONS = 1_000
/** Of one account on one server, at once. */
const MAX_CONNECTIONS_OF_ONE = 16
const MAX_CHANNELS = 8
const KEEPALIVE_MS = 30_000
/** Hardware does these; ChaCha20 takes 1.7 times the time here. */
const CIPHERS = ['aes128-gcm@openssh.com', 'aes256-gcm@openssh.com', 'aes256-ctr', 'aes128-ctr'] as const
const KEY_EXCHANGES = [
  'curve25519-sha256',
  'curve25519-sha256@libssh.org',
  'ecdh-sha2-nistp256',
  'ecdh-sha2-nistp384',
  'diffie-hellman-group14-sha256',
] as const
const ONLY_SFTP =
  'This server speaks SFTP only: use sftp, scp without -O, rclone, sshfs, FileZilla or WinSCP in SFTP mode.\r\n'

const reasons: Record<string, string> = {
  unauthorized: 'You may not reach these files any more.',
  server_has_no_files: 'The files of this server are gone.',
  server_is_preparing: 'The server is being prepared. Try again in a minute.',
  too_many: 'Too many connections to this server at once.',
}
const endings: Record<WatchEnd, string> = {
  right: 'an account lost its right to the files of a server',
  busy: 'an operation needs the files of a server to itself',
  unwatched: 'nobody can say any more whether a session may go on',
}

export type SftpServer = {
  port: number
  figures(): SftpFigures
  /** Takes no more connections. */
  takeNoMore(): void
  close(): Promise<void>
}

/** @throws when the port cannot be taken */
export async function startSftpServer(options: SftpOptions): Promise<SftpServer> {
  const logger = createLogger({ part: 'sftp', level: options.logLevel })
  const api = createApiCalls(options)
  const limits = createAddressLimits({ connections: options.connectionsPerAddress, rate: options.connectionRate })
  const hostKeys = sshHostKeys(options.hostSecret).map(({ privateKey }) => privateKey)
  const algorithms = { cipher: [...CIPHERS], kex: [...KEY_EXCHANGES] }
  const ssh = new ssh2.Server({ hostKeys, algorithms, ident: 'Wakestone', keepaliveInterval: KEEPALIVE_MS })
  const sockets = new Set<Socket>()
  const joined = new Map<string, number>()

  ssh.on('error', (error: Error) => logger.info({ reason: error.message }, 'SFTP'))
  ssh.on('connection', (connection, { ip }) => serve(connection, { api, address: ip, joined, logger }))

  const server = createServer({ noDelay: true }, (socket) => {
    const address = socket.remoteAddress ?? ''
    socket.on('error', () => {}) // followed by its close
    if (limits.admit(address) !== undefined) return void socket.destroy()
    sockets.add(socket)
    socket.once('close', () => {
      sockets.delete(socket)
      limits.release(address)
    })
    ssh.injectSocket(socket)
  })
  server.maxConnections = MAX_CONNECTIONS
  server.listen({ port: options.port, host: options.host, reusePort: options.reusePort === true })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  logger.info({ port }, 'listening')

  return {
    port,
    figures: () => ({
      connections: sockets.size,
      sessions: [...joined.values()].reduce((sum, count) => sum + count, 0),
    }),
    takeNoMore: () => void server.close(),
    async close() {
      limits.close()
      const closed = [...sockets].map((socket) => once(socket, 'close'))
      server.close()
      for (const socket of sockets) socket.destroy()
      await Promise.all(closed)
    },
  }
}

type Serve = { api: ApiCalls; address: string; joined: Map<string, number>; logger: Logger }

function serve(connection: Connection, { api, address, joined, logger }: Serve) {
  const login = createLogin({ api, address, logger })
  let session: SftpSession | undefined
  let stopWatching: (() => void) | undefined
  let channels = 0
  const idle = setTimeout(() => connection.end(), LOGIN_MS)
  const close = () => {
    clearTimeout(idle)
    stopWatching?.()
  }
  // Whatever a client sends that is no SSH ends here, and with its connection.
  connection.on('error', (error: Error) => logger.info({ reason: error.message, address }, 'an SFTP connection broke'))
  connection.on('close', close)

  connection.on('authentication', (context) => {
    login(context).then(
      (found) => {
        if (found === 'over') connection.end()
        else if (found) session = found
      },
      (error: Error) => {
        logger.error({ err: error }, 'a login over SFTP failed')
        connection.end()
      },
    )
  })
  connection.on('session', (accept: AcceptConnection<Session>) => {
    const shell = accept()
    shell.on('pty', (acceptPty) => acceptPty?.())
    shell.on('env', (acceptEnv) => acceptEnv?.())
    for (const event of ['shell', 'exec'] as const)
      shell.on(event, (acceptShell: AcceptConnection<ServerChannel>) => refuse(acceptShell(), ONLY_SFTP))
    shell.on('subsystem', (acceptChannel, reject, { name }) => {
      if (name !== 'sftp' || channels >= MAX_CHANNELS) return reject()
      const channel = acceptChannel() as ServerChannel
      channels++
      clearTimeout(idle)
      open(channel)
        .catch((error: Error) => {
          const code = error instanceof Refused ? error.code : ''
          if (code === '') logger.warn({ reason: error.message, serverId: session?.serverId }, 'no SFTP session')
          refuse(channel, `${reasons[code] ?? 'The files cannot be reached now. Try again in a moment.'}\r\n`)
        })
        .finally(() => {
          if (--channels === 0) idle.refresh()
        })
    })
  })

  async function open(channel: ServerChannel) {
    if (session === undefined) throw new Refused('unauthorized')
    const key = `${session.userId} ${session.serverId}`
    const count = joined.get(key) ?? 0
    if (count >= MAX_CONNECTIONS_OF_ONE * MAX_CHANNELS) throw new Refused('too_many')
    joined.set(key, count + 1)
    try {
      const opened = await api.open(session)
      stopWatching ??= api.watch(session, !opened.readOnly, (because) => {
        logger.info({ userId: session?.userId, serverId: session?.serverId }, endings[because])
        connection.end()
      })
      await joinBox(channel, { api, opened, session, logger })
    } finally {
      const left = (joined.get(key) ?? 1) - 1
      if (left === 0) joined.delete(key)
      else joined.set(key, left)
    }
  }
}

function refuse(channel: ServerChannel, text: string) {
  channel.on('error', () => {})
  channel.stderr.write(text)
  channel.exit(1)
  channel.end()
}
