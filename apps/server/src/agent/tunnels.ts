/** Leads gateways and the control plane to what runs here; see `@wakestone/protocol/tunnel`. */
import type { IncomingMessage } from 'node:http'
import { connect, type NetConnectOpts, type Socket } from 'node:net'
import { createTokenCheck } from '@wakestone/protocol/token-check'
import { tunnelEnds, tunnelProtocol, type TunnelEnd } from '@wakestone/protocol/tunnel'
import type { Cluster } from '#src/adapters/clusters/cluster.ts'
import { boxPaths, serverPaths } from '#src/adapters/clusters/process/paths.ts'
import { checkSocket } from '#src/adapters/supervisor/transport.ts'

const DIAL_MS = 5_000
const KEEP_ALIVE_MS = 60_000
/** Through this agent, and to one server. */
const most = { all: 20_000, ofServer: 4_000 }
const PATH = /^\/v1\/servers\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/([a-z]+)$/
const MOST_CHECKS = 2_000

type Checks = Record<TunnelEnd, (authorization: string | undefined) => boolean>

export function createTunnels({
  cluster,
  dataDir,
  publicKey,
}: {
  cluster: Pick<Cluster, 'inspect'>
  dataDir: string
  publicKey: string
}) {
  const open = new Map<string, Set<Socket>>()
  let all = 0
  const checks = new Map<string, Checks>()

  /** Kept, since looking at a signature again and again costs more than what is led through. */
  function checksOf(serverId: string): Checks {
    let known = checks.get(serverId)
    if (known === undefined) {
      if (checks.size >= MOST_CHECKS) checks.clear()
      const key = { publicKey, serverId }
      const supervisor = createTokenCheck({ audience: 'supervisor', ...key })
      const files = createTokenCheck({ audience: 'files', ...key })
      const game = createTokenCheck({ audience: 'agent', ...key })
      known = {
        supervisor: (authorization) => supervisor(authorization) !== undefined,
        files: (authorization) => files(authorization) !== undefined,
        game: (authorization) => game(authorization)?.purpose === 'game',
      }
      checks.set(serverId, known)
    }
    return known
  }

  /** @throws Error where nobody is there */
  async function placeOf(serverId: string, end: TunnelEnd): Promise<NetConnectOpts> {
    if (end === 'files') return { path: checkSocket(boxPaths(serverPaths(dataDir, serverId), 'files').socket) }
    const placement = await cluster.inspect(serverId)
    if (placement.state !== 'running') throw new Error('nothing of it runs')
    if (end === 'game') return { ...placement.game, noDelay: true }
    if (placement.endpoint.kind !== 'unix') throw new Error('its supervisor is elsewhere')
    return { path: checkSocket(placement.endpoint.path) }
  }

  function note(serverId: string, socket: Socket) {
    const its = open.get(serverId) ?? new Set()
    open.set(serverId, its.add(socket))
    all++
    socket.once('close', () => {
      all--
      its.delete(socket)
      if (its.size === 0) open.delete(serverId)
    })
  }

  async function lead(request: IncomingMessage, socket: Socket, head: Buffer): Promise<void> {
    const [, serverId, name] = PATH.exec(request.url ?? '') ?? []
    const end = tunnelEnds.find((one) => one === name)
    if (serverId === undefined || end === undefined || request.headers.upgrade !== tunnelProtocol)
      return refuse(socket, 404)
    if (!checksOf(serverId)[end](request.headers.authorization)) return refuse(socket, 401)
    if (all >= most.all || (open.get(serverId)?.size ?? 0) >= most.ofServer) return refuse(socket, 503)
    note(serverId, socket)
    let inner: Socket
    try {
      inner = await dial(await placeOf(serverId, end))
    } catch {
      return refuse(socket, 404)
    }
    if (socket.destroyed) return void inner.destroy()
    socket.setTimeout(0)
    socket.setNoDelay(true)
    socket.setKeepAlive(true, KEEP_ALIVE_MS)
    socket.write(`HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${tunnelProtocol}\r\n\r\n`)
    if (head.length > 0) inner.write(head)
    join(socket, inner)
  }

  return {
    /** For the `upgrade` of a server. */
    onUpgrade(request: IncomingMessage, socket: Socket, head: Buffer): void {
      socket.on('error', () => {}) // followed by its close
      lead(request, socket, head).catch(() => socket.destroy())
    },
    /** How many ways are open. */
    count: () => all,
  }
}

function refuse(socket: Socket, status: 401 | 404 | 503) {
  socket.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
  socket.destroySoon()
}

function dial(place: NetConnectOpts): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const inner = connect({ ...place, allowHalfOpen: true })
    const timer = setTimeout(() => inner.destroy(new Error('no answer')), DIAL_MS)
    inner.once('error', reject)
    inner.once('close', () => clearTimeout(timer))
    inner.once('connect', () => {
      clearTimeout(timer)
      inner.on('error', () => {}) // followed by its close
      resolve(inner)
    })
  })
}

/** Bytes both ways, until either side is done. */
function join(outer: Socket, inner: Socket) {
  outer.pipe(inner)
  inner.pipe(outer)
  for (const [from, to] of [
    [outer, inner],
    [inner, outer],
  ] as const)
    from.once('close', () => {
      if (!from.readableEnded) to.destroy()
      else to.destroySoon()
    })
}
