/** What NetherNet's datagrams begin with: a STUN binding request (RFC 8489) that names both sides of a connection. */

const BINDING_REQUEST = 0x0001
const MAGIC_COOKIE = 0x2112a442
const HEADER_BYTES = 20
const USERNAME = 0x0006

/**
 * The user fragment of whom a binding request is for (RFC 8445, 7.2.2: `theirs:ours`); undefined: it is none.
 * @param bytes a datagram of anybody
 */
export function readBindingRequest(bytes: Buffer): string | undefined {
  if (bytes.length < HEADER_BYTES || bytes.readUInt16BE(0) !== BINDING_REQUEST) return undefined
  if (bytes.readUInt32BE(4) !== MAGIC_COOKIE) return undefined
  const end = HEADER_BYTES + bytes.readUInt16BE(2)
  if (end > bytes.length) return undefined
  for (let at = HEADER_BYTES; at + 4 <= end;) {
    const length = bytes.readUInt16BE(at + 2)
    if (at + 4 + length > end) return undefined
    if (bytes.readUInt16BE(at) === USERNAME) {
      const [whose, other] = bytes.toString('latin1', at + 4, at + 4 + length).split(':')
      return other === undefined ? undefined : whose
    }
    at += 4 + Math.ceil(length / 4) * 4
  }
  return undefined
}
