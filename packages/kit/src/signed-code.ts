/** Codes of mailed links: signed, so that nothing that is stored opens anything. */
import { createHmac, timingSafeEqual } from 'node:crypto'

/** `name`, which may be read, and a signature over `said`, which tells what the code is for. */
export function signCode(key: string, name: string, said: string): string {
  return `${name}.${createHmac('sha256', key).update(said).digest('base64url')}`
}

/** Whether two texts are the same, in a time that does not tell where they differ. */
export function isSameText(expected: string, given: string): boolean {
  const left = Buffer.from(expected)
  const right = Buffer.from(given)
  return left.length === right.length && timingSafeEqual(left, right)
}
