/**
 * The keys by which SFTP clients know this installation. They follow from one secret, so that every gateway has the same
 * ones and the panel can show their fingerprints. Formats: RFC 4253 §6.6, RFC 5656 §3.1, RFC 8709 §4, and OpenSSH's
 * PROTOCOL.key.
 */
import { createECDH, createHash, createHmac, createPrivateKey, createPublicKey } from 'node:crypto'

export type SshHostKey = {
  algorithm: 'ssh-ed25519' | 'ecdsa-sha2-nistp256'
  /** PEM, as OpenSSH reads it. */
  privateKey: string
  /** `SHA256:…` */
  fingerprint: string
}

/** @param secret hex */
export function sshHostKeys(secret: string): SshHostKey[] {
  const follow = (purpose: string) => createHmac('sha256', Buffer.from(secret, 'hex')).update(purpose).digest()
  return [ed25519Key(follow('ed25519')), ecdsaKey(follow('ecdsa-sha2-nistp256'))]
}

function ed25519Key(seed: Buffer): SshHostKey {
  const pkcs8 = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed])
  const key = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' })
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' })
  const point = Buffer.from(x, 'base64url')
  const blob = Buffer.concat([text('ssh-ed25519'), text(point)])
  const check = seed.subarray(0, 4) // the same number twice tells whether it was deciphered rightly
  const section = Buffer.concat([check, check, blob, text(Buffer.concat([seed, point])), text('')])
  const padding = Buffer.from(Array.from({ length: (8 - (section.length % 8)) % 8 }, (_, index) => index + 1))
  const count = Buffer.from([0, 0, 0, 1])
  const whole = Buffer.concat([
    Buffer.from('openssh-key-v1\0'),
    text('none'),
    text('none'),
    text(''),
    count,
    text(blob),
    text(Buffer.concat([section, padding])),
  ])
  const lines = whole.toString('base64').match(/.{1,70}/g) ?? []
  const privateKey = ['-----BEGIN OPENSSH PRIVATE KEY-----', ...lines, '-----END OPENSSH PRIVATE KEY-----', ''].join(
    '\n',
  )
  return { algorithm: 'ssh-ed25519', privateKey, fingerprint: fingerprintOf(blob) }
}

function ecdsaKey(scalar: Buffer): SshHostKey {
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(scalar)
  const point = pair.getPublicKey()
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url')) as [
    string,
    string,
  ]
  const jwk = { kty: 'EC', crv: 'P-256', d: scalar.toString('base64url'), x, y }
  const key = createPrivateKey({ key: jwk, format: 'jwk' })
  const blob = Buffer.concat([text('ecdsa-sha2-nistp256'), text('nistp256'), text(point)])
  return {
    algorithm: 'ecdsa-sha2-nistp256',
    privateKey: key.export({ format: 'pem', type: 'sec1' }) as string,
    fingerprint: fingerprintOf(blob),
  }
}

/** As OpenSSH shows it. */
export const fingerprintOf = (key: Uint8Array) =>
  `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`

/** A string of RFC 4251, behind its length. */
function text(value: string | Buffer): Buffer {
  const bytes = Buffer.from(value)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}
