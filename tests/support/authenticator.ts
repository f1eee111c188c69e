/** An authenticator in software (WebAuthn, level 3): ES256, no attestation, and it can be told to misbehave. */
import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'

const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest()
const encode = (data: Buffer | string) => Buffer.from(data).toString('base64url')

/** CBOR of a byte string below 64 KiB. */
function bytes(data: Buffer): Buffer {
  const head = data.length < 24 ? [0x40 | data.length] : data.length < 256 ? [0x58, data.length] : [0x59, 0, 0]
  const prefix = Buffer.from(head)
  if (head.length === 3) prefix.writeUInt16BE(data.length, 1)
  return Buffer.concat([prefix, data])
}
const text = (value: string) => Buffer.concat([Buffer.from([0x60 | value.length]), Buffer.from(value)])

type Asked = { options: Record<string, unknown> }
type Faults = { origin?: string; isVerified?: boolean; counter?: number }

export function createAuthenticator(origin: string) {
  const id = randomBytes(16)
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  let userHandle = ''
  let counter = 0

  const authData = (flags: number, count: number, rest = Buffer.alloc(0)) => {
    const head = Buffer.alloc(5)
    head.writeUInt8(flags)
    head.writeUInt32BE(count, 1)
    return Buffer.concat([sha256(new URL(origin).hostname), head, rest])
  }
  const clientData = (type: string, { options }: Asked, from: string) =>
    Buffer.from(JSON.stringify({ type, challenge: options['challenge'], origin: from, crossOrigin: false }))
  const credential = { id: encode(id), rawId: encode(id), type: 'public-key' as const, clientExtensionResults: {} }

  return {
    register(asked: Asked, faults: Faults = {}) {
      userHandle = (asked.options['user'] as { id: string }).id
      // COSE: kty EC2, alg ES256, crv P-256, x, y.
      const key = Buffer.concat([
        Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
        bytes(Buffer.from(x, 'base64url')),
        Buffer.from([0x22]),
        bytes(Buffer.from(y, 'base64url')),
      ])
      const made = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, key])
      const data = authData(faults.isVerified === false ? 0x41 : 0x45, counter, made)
      const attestationObject = Buffer.concat([
        Buffer.from([0xa3]),
        text('fmt'),
        text('none'),
        text('attStmt'),
        Buffer.from([0xa0]),
        text('authData'),
        bytes(data),
      ])
      const clientDataJSON = encode(clientData('webauthn.create', asked, faults.origin ?? origin))
      return { ...credential, response: { clientDataJSON, attestationObject: encode(attestationObject) } }
    },
    sign(asked: Asked, faults: Faults = {}) {
      const client = clientData('webauthn.get', asked, faults.origin ?? origin)
      const data = authData(faults.isVerified === false ? 0x01 : 0x05, faults.counter ?? ++counter)
      const signature = createSign('sha256')
        .update(Buffer.concat([data, sha256(client)]))
        .sign(privateKey)
      return {
        ...credential,
        response: {
          clientDataJSON: encode(client),
          authenticatorData: encode(data),
          signature: encode(signature),
          userHandle,
        },
      }
    },
  }
}
