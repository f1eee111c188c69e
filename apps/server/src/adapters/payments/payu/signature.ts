/**
 * PayU signs a notification with a plain hash, not an HMAC: hex(HASH(body + second key)).
 * Header: `sender=checkout;signature=<hex>;algorithm=MD5;content=DOCUMENT`.
 */
import { createHash, timingSafeEqual } from 'node:crypto'

const algorithms: Record<string, string> = {
  MD5: 'md5',
  SHA: 'sha1',
  'SHA-1': 'sha1',
  SHA1: 'sha1',
  'SHA-256': 'sha256',
  SHA256: 'sha256',
  'SHA-384': 'sha384',
  SHA384: 'sha384',
  'SHA-512': 'sha512',
  SHA512: 'sha512',
}

/** Whether the header signs exactly these bytes. False for whatever cannot be read. */
export function isSignedByPayu(raw: Buffer, header: string | undefined, secondKey: string): boolean {
  const fields = new Map((header ?? '').split(';').map((field) => splitOnce(field)))
  const algorithm = algorithms[(fields.get('algorithm') ?? 'MD5').toUpperCase()]
  const signature = fields.get('signature') ?? ''
  if (algorithm === undefined || !/^[\da-f]+$/i.test(signature)) return false
  const wanted = createHash(algorithm).update(raw).update(secondKey).digest()
  const given = Buffer.from(signature, 'hex')
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}

function splitOnce(field: string): [name: string, value: string] {
  const at = field.indexOf('=')
  return at < 0 ? [field.trim(), ''] : [field.slice(0, at).trim(), field.slice(at + 1).trim()]
}
