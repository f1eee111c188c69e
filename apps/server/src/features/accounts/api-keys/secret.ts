/**
 * How an API key is written: `wk_`, 30 random characters (178 bits), and 6 that follow from them. Scanners for leaked
 * secrets know it by its form, and a mistyped one is refused without asking the database.
 */
import { createHash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const randomLength = 30
const checkLength = 6
const form = /^wk_[0-9A-Za-z]{36}$/

function checkOf(text: string): string {
  let rest = crc32(text)
  let check = ''
  while (check.length < checkLength) {
    check = alphabet.charAt(rest % alphabet.length) + check
    rest = Math.floor(rest / alphabet.length)
  }
  return check
}

export function makeApiKey(): string {
  const random = Array.from({ length: randomLength }, () => alphabet.charAt(randomInt(alphabet.length))).join('')
  return `wk_${random}${checkOf(`wk_${random}`)}`
}

/** Whether a text may be one of our keys at all. */
export function isApiKey(text: string): boolean {
  return form.test(text) && text.endsWith(checkOf(text.slice(0, -checkLength)))
}

/** What is kept of a key. Nobody guesses 178 bits, so a fast hash will do. */
export function hashApiKey(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}

/** What its owner knows it by: `wk_` and four characters. */
export const hintOf = (key: string) => key.slice(0, 7)
