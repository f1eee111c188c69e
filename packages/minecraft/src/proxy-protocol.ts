/**
 * PROXY protocol, version 2 (haproxy.org/download/2.9/doc/proxy-protocol.txt): the binary header with which
 * a proxy tells the server behind it who the client is.
 */
import { isIPv4, SocketAddress } from 'node:net'
import { ProtocolError } from './protocol-error.ts'

const SIGNATURE = Buffer.from('0d0a0d0a000d0a515549540a', 'hex')
const FIXED_BYTES = 16
/** Addresses, and room for what load balancers append. */
const MAX_REST_BYTES = 4096

export type Endpoint = { address: string; port: number }
export type ProxyHeader = {
  /** Null when the sender speaks for itself (LOCAL, as in health checks) or the family is none of TCP. */
  source: Endpoint | null
  destination: Endpoint | null
  /** Bytes of the header, appended fields included. */
  size: number
}

/**
 * Reads the header at the start of a connection; appended fields (TLV) are skipped.
 * @returns undefined while it is incomplete.
 * @throws ProtocolError as soon as it cannot become one.
 */
export function readProxyHeader(bytes: Buffer): ProxyHeader | undefined {
  const known = Math.min(bytes.length, SIGNATURE.length)
  if (bytes.compare(SIGNATURE, 0, known, 0, known) !== 0) throw new ProtocolError('no PROXY header')
  const command = bytes[12]
  if (command !== undefined && command !== 0x20 && command !== 0x21) throw new ProtocolError('unknown PROXY command')
  if (bytes.length < FIXED_BYTES) return undefined
  const rest = bytes.readUInt16BE(14)
  if (rest > MAX_REST_BYTES) throw new ProtocolError('PROXY header too long')
  const size = FIXED_BYTES + rest
  if (bytes.length < size) return undefined
  const family = bytes[13]
  if (command === 0x20 || (family !== 0x11 && family !== 0x21)) return { source: null, destination: null, size }
  const width = family === 0x11 ? 4 : 16
  if (rest < 2 * width + 4) throw new ProtocolError('PROXY addresses cut short')
  const addresses = bytes.subarray(FIXED_BYTES, size)
  return {
    source: { address: formatAddress(addresses.subarray(0, width)), port: addresses.readUInt16BE(2 * width) },
    destination: {
      address: formatAddress(addresses.subarray(width, 2 * width)),
      port: addresses.readUInt16BE(2 * width + 2),
    },
    size,
  }
}

/** Says that a connection is made on behalf of `source`, or with null that it is the sender's own. */
export function writeProxyHeader(ends: { source: Endpoint; destination: Endpoint } | null): Buffer {
  if (!ends) return Buffer.concat([SIGNATURE, Buffer.from([0x20, 0, 0, 0])])
  const { source, destination } = ends
  const short = isIPv4(source.address) && isIPv4(destination.address)
  const ports = Buffer.alloc(4)
  ports.writeUInt16BE(source.port, 0)
  ports.writeUInt16BE(destination.port, 2)
  const addresses = Buffer.concat([
    parseAddress(source.address, short),
    parseAddress(destination.address, short),
    ports,
  ])
  return Buffer.concat([SIGNATURE, Buffer.from([0x21, short ? 0x11 : 0x21, 0, addresses.length]), addresses])
}

function formatAddress(bytes: Buffer): string {
  if (bytes.length === 4) return bytes.join('.')
  const groups = Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(2 * index).toString(16))
  // Node's own parser gives the canonical short form.
  return new SocketAddress({ address: groups.join(':'), family: 'ipv6' }).address
}

/** Four bytes, or sixteen with IPv4 mapped into IPv6. */
function parseAddress(address: string, short: boolean): Buffer {
  if (short) return Buffer.from(address.split('.').map(Number))
  if (isIPv4(address)) return Buffer.concat([Buffer.alloc(10), Buffer.from([0xff, 0xff]), parseAddress(address, true)])
  const plain = new SocketAddress({ address, family: 'ipv6' }).address
  const [head = '', tail] = withoutDottedEnd(plain).split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const gap = Array<string>(8 - left.length - right.length).fill('0')
  const bytes = Buffer.alloc(16)
  for (const [index, group] of [...left, ...gap, ...right].entries()) {
    bytes.writeUInt16BE(Number.parseInt(group, 16), 2 * index)
  }
  return bytes
}

/** `::ffff:1.2.3.4` → `::ffff:102:304` */
function withoutDottedEnd(address: string): string {
  return address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, a, b, c, d) =>
    [(Number(a) << 8) | Number(b), (Number(c) << 8) | Number(d)].map((group) => group.toString(16)).join(':'),
  )
}
