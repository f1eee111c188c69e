/** The parts of a session description (RFC 8866, 8839) that say where a side of a NetherNet connection is reached. */

const CANDIDATE = 'a=candidate:'

export type Side = {
  /** By which its datagrams are told from those of others; undefined: there is none, so it cannot be joined. */
  userFragment: string | undefined
  /** Ports at which it listens itself, best first. Nothing else of a candidate is believed. */
  ports: number[]
}

export function readSide(sdp: string): Side {
  const found: { port: number; priority: number }[] = []
  for (const line of linesOf(sdp)) {
    if (!line.startsWith(CANDIDATE)) continue
    const [, component, transport = '', priority, address = '', port, , type] = line.slice(CANDIDATE.length).split(' ')
    const isOwn = component === '1' && transport.toLowerCase() === 'udp' && type === 'host' && !address.includes(':')
    const number = Number(port)
    if (isOwn && Number.isInteger(number) && number > 0 && number < 65_536)
      found.push({ port: number, priority: Number(priority) || 0 })
  }
  found.sort((one, other) => other.priority - one.priority)
  return {
    userFragment: linesOf(sdp)
      .find((line) => /^a=ice-ufrag:[\w+/]{4,256}$/.test(line))
      ?.slice('a=ice-ufrag:'.length),
    ports: [...new Set(found.map(({ port }) => port))],
  }
}

/** The same description with one way to reach it, or none. */
export function withOnlyCandidate(sdp: string, place: { address: string; port: number } | undefined): string {
  const lines = linesOf(sdp).filter((line) => !line.startsWith(CANDIDATE) && line !== 'a=end-of-candidates')
  const section = lines.findIndex((line) => line.startsWith('m='))
  if (section === -1) return sdp
  const next = lines.findIndex((line, index) => index > section && line.startsWith('m='))
  const candidate = place && `${CANDIDATE}1 1 udp 2130706431 ${place.address} ${place.port} typ host generation 0`
  lines.splice(next === -1 ? lines.length : next, 0, ...(candidate ? [candidate] : []), 'a=end-of-candidates')
  return `${lines.join('\r\n')}\r\n`
}

const linesOf = (sdp: string) => sdp.split(/\r?\n/).filter((line) => line !== '')
