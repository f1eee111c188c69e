/** Leads datagrams that arrive at one UDP port to a server, and what it answers back. */
import { createSocket, type RemoteInfo } from 'node:dgram'
import { isIPv4 } from 'node:net'
import { openSession, type Session } from '../bedrock/nat.ts'
import { createGuests } from './guests.ts'
import type { OpenPort, PortContext } from './tcp-port.ts'

/** Both sides have fallen silent. */
const IDLE_MS = 60_000
const SWEEP_MS = 5_000
/** Datagrams that one may send in a second: voice takes 50, games some hundreds. */
const MOST_PER_SECOND = 2_000

type Guest = { session: Session; address: string; isAnswered: boolean; second: number; count: number }

export function openUdpPort(context: Omit<PortContext, 'dialMs'>): OpenPort {
  const { host, port, limits, metrics, logger, target, onFailure } = context
  const guests = createGuests(limits)
  /** By address and port, the oldest first. Whoever was never answered makes room when all is taken. */
  const known = new Map<string, Guest>()
  const unanswered = new Map<string, Guest>()
  let isClosed = false

  const socket = createSocket(host !== undefined && isIPv4(host) ? 'udp4' : 'udp6')
  socket.on('error', (error) => {
    if (!isClosed) onFailure(error)
  })
  socket.on('message', (bytes, from) => {
    const guest = known.get(`${from.address} ${from.port}`) ?? enter(from)
    if (guest && isWithinRate(guest)) guest.session.forward(bytes)
  })
  socket.bind({ port, address: host ?? '::' })
  const sweeper = setInterval(sweep, SWEEP_MS)
  sweeper.unref()

  function isWithinRate(guest: Guest): boolean {
    const second = Math.floor(performance.now() / 1000)
    if (guest.second !== second) Object.assign(guest, { second, count: 0 })
    guest.count += 1
    return guest.count <= MOST_PER_SECOND
  }

  function enter({ address, port: theirs }: RemoteInfo): Guest | undefined {
    const to = target()
    if (to === undefined) return undefined
    const refusal = (known.size >= limits.inAll && !makeRoom() && 'port_full') || guests.admit(address)
    if (refusal) {
      metrics.count('refused_total', { reason: refusal })
      return undefined
    }
    const key = `${address} ${theirs}`
    const session = openSession({
      backend: to,
      port: to.port,
      toPlayer(message) {
        if (isClosed) return
        guest.isAnswered = true
        unanswered.delete(key)
        socket.send(message, theirs, address, () => {})
      },
      onClose({ up, down }) {
        known.delete(key)
        unanswered.delete(key)
        guests.release(address)
        metrics.count('bytes_total', { direction: 'up' }, up)
        metrics.count('bytes_total', { direction: 'down' }, down)
      },
    })
    const guest: Guest = { session, address, isAnswered: false, second: 0, count: 0 }
    known.set(key, guest)
    unanswered.set(key, guest)
    metrics.count('proxied_total', { intent: 'port_udp' })
    logger.debug({ port, address }, 'somebody is led to a port of a server')
    return guest
  }

  /** @returns whether there was somebody whom the server never answered */
  function makeRoom(): boolean {
    const [oldest] = unanswered.values()
    oldest?.session.close()
    return oldest !== undefined
  }

  function sweep(): void {
    const now = performance.now()
    const to = target()
    for (const { session } of known.values()) {
      const isElsewhere = to === undefined || to.host !== session.backend.host || to.port !== session.backend.port
      if (isElsewhere || now - session.usedAt() > IDLE_MS) session.close()
    }
  }

  return {
    connections: () => known.size,
    close() {
      isClosed = true
      clearInterval(sweeper)
      for (const { session } of known.values()) session.close()
      socket.close()
      guests.close()
    },
  }
}
