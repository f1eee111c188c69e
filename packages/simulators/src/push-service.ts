/** A push service: takes what RFC 8030 says, checks who sent it (RFC 8292), and reads it as a browser does (RFC 8291). */
import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { importJWK, jwtVerify } from 'jose'

export type Pushed = { message: Record<string, unknown>; topic: string; urgency: string; ttl: string }

export async function startPushService() {
  const browser = createECDH('prime256v1')
  const publicKey = browser.generateKeys()
  const auth = randomBytes(16)
  const pushed: Pushed[] = []
  let answer = 201

  /** One record of `aes128gcm`: salt, record size, length of the sender's key, the key, the rest. */
  function open(body: Buffer): Record<string, unknown> {
    const salt = body.subarray(0, 16)
    const sender = body.subarray(21, 21 + body.readUInt8(20))
    const sealed = body.subarray(21 + sender.length)
    const derive = (secret: Buffer, from: Buffer, info: Buffer, length: number) =>
      Buffer.from(hkdfSync('sha256', secret, from, info, length))
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, sender])
    const secret = derive(browser.computeSecret(sender), auth, info, 32)
    const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
    const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
    const cipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(sealed.subarray(-16))
    const plain = Buffer.concat([cipher.update(sealed.subarray(0, -16)), cipher.final()])
    return JSON.parse(plain.subarray(0, plain.lastIndexOf(2)).toString()) as Record<string, unknown>
  }

  async function check(header: string, origin: string): Promise<void> {
    const [, token = '', key = ''] = /^vapid t=([^,]+), ?k=(.+)$/.exec(header) ?? []
    const point = Buffer.from(key, 'base64url')
    const coordinate = (from: number) => point.subarray(from, from + 32).toString('base64url')
    const jwk = await importJWK({ kty: 'EC', crv: 'P-256', x: coordinate(1), y: coordinate(33) }, 'ES256')
    await jwtVerify(token, jwk, { audience: origin, algorithms: ['ES256'] })
  }

  const server = createServer((request, response) => {
    const end = (status: number) => void response.writeHead(status).end()
    void buffer(request)
      .then(async (body) => {
        if (answer !== 201) return end(answer)
        await check(request.headers.authorization ?? '', `http://${request.headers.host}`)
        const header = (name: string) => String(request.headers[name])
        pushed.push({ message: open(body), topic: header('topic'), urgency: header('urgency'), ttl: header('ttl') })
        end(201)
      })
      .catch((error: unknown) => void response.writeHead(403).end(String(error)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    /** What a browser hands over when it subscribes here. */
    subscription: {
      endpoint: `http://127.0.0.1:${port}/push/${randomBytes(8).toString('hex')}`,
      keys: { p256dh: publicKey.toString('base64url'), auth: auth.toString('base64url') },
    },
    pushed,
    /** The status of what comes next; 410 is a browser that has gone. */
    answerWith: (status: number) => void (answer = status),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections() // one that never asked anything would be waited for
      }),
  }
}
