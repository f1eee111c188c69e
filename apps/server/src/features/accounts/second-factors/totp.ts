/** Codes of an authenticator app, RFC 6238: six digits of HMAC-SHA-1, a new one every 30 seconds. */
import { createHmac, timingSafeEqual } from 'node:crypto'

const stepMilliseconds = 30_000
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

export const stepAt = (time: number): number => Math.floor(time / stepMilliseconds)

/** The code of a time step: RFC 4226, section 5.3. */
export function totpCode(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 0xf
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

/** The step that a code belongs to, of this one and its neighbours, as clocks differ; undefined for a wrong code. */
export function stepOfCode(secret: Buffer, code: string, time: number): number | undefined {
  const given = Buffer.from(code)
  const now = stepAt(time)
  return [now, now - 1, now + 1].find((step) => {
    const expected = Buffer.from(totpCode(secret, step))
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}

/** RFC 4648 without padding, as apps want secrets typed. */
export function toBase32(bytes: Buffer): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('')
  return bits.replace(/.{1,5}/g, (five) => alphabet.charAt(Number.parseInt(five.padEnd(5, '0'), 2)))
}

/** What a QR code says to an app. */
export function totpAddress({ secret, issuer, account }: { secret: string; issuer: string; account: string }): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=6&period=30`
}
