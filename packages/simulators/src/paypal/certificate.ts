/**
 * An RSA key and its own certificate (X.509 v3, RFC 5280), written by hand: Node reads certificates but makes none.
 */
import { createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

/** One value in DER: tag, length, content. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), content])
  const bytes = length < 0x100 ? [length] : [length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, 0x80 | bytes.length, ...bytes]), content])
}

const sequence = (...parts: Buffer[]) => der(0x30, ...parts)
const bitString = (content: Buffer) => der(0x03, Buffer.from([0]), content)
/** `20261120120000Z`, without fractions. */
const time = (at: Date) => der(0x18, Buffer.from(`${at.toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`))
const sha256WithRsa = sequence(der(0x06, Buffer.from('2a864886f70d01010b', 'hex')), der(0x05))
const commonName = (name: string) =>
  sequence(der(0x31, sequence(der(0x06, Buffer.from('550403', 'hex')), der(0x0c, Buffer.from(name)))))

export type SigningKey = { privateKey: KeyObject; certificate: string }

/** @param days how long the certificate is valid; below zero: it has been over for so long. */
export function makeSigningKey(name: string, { days = 3650 } = {}): SigningKey {
  const { privateKey: pem, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  const privateKey = createPrivateKey(pem)
  const until = Date.now() + days * 86_400_000
  const serial = randomBytes(16)
  serial[0] = 0x01 // positive, and not short
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))), // version 3
    der(0x02, serial),
    sha256WithRsa,
    commonName(name),
    sequence(time(new Date(Math.min(Date.now(), until) - 86_400_000)), time(new Date(until))),
    commonName(name),
    publicKey,
  )
  const certificate = sequence(body, sha256WithRsa, bitString(sign('sha256', body, privateKey)))
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? []
  return { privateKey, certificate: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n` }
}
