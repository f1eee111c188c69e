/** An authenticator app, written apart from the product's own check. */
import { createHmac } from 'node:crypto'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

function fromBase32(text: string): Buffer {
  const bits = [...text].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

export type AuthenticatorApp = ReturnType<typeof createAuthenticatorApp>

export function createAuthenticatorApp(secret: string) {
  const bytes = fromBase32(secret)
  const codeAt = (step: number) => {
    const mac = createHmac('sha1', bytes)
      .update(Buffer.from(step.toString(16).padStart(16, '0'), 'hex'))
      .digest()
    const place = (mac[19] ?? 0) % 16
    return ((mac.readUInt32BE(place) % 2 ** 31) % 1e6).toString().padStart(6, '0')
  }
  const now = () => Math.floor(Date.now() / 30_000)
  let last = 0
  return {
    bytes,
    /** A code that was not shown before: the one of now, then that of the next step, which is taken already. */
    next() {
      last = Math.max(last + 1, now())
      if (last > now() + 1) throw new Error('the next code is not due yet')
      return codeAt(last)
    },
    /** The code before the last one. */
    earlier: () => codeAt(last - 1),
    /** As if no code had been shown yet. */
    rewind: () => void (last = 0),
  }
}
