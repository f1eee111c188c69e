/** Codes that nobody can guess. */
import { randomInt } from 'node:crypto'
import { voucherCodeLength } from '@wakestone/contract/sales/voucher-code'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'

/** Every character is as likely as any other: `randomInt` has no bias. */
export function makeCode(prefix: string): string {
  let code = prefix
  for (let length = 0; length < voucherCodeLength; length++) code += alphabet[randomInt(alphabet.length)]
  return code
}

/** @returns so many codes, all different. */
export function makeCodes(prefix: string, count: number): string[] {
  const codes = new Set<string>()
  while (codes.size < count) codes.add(makeCode(prefix))
  return [...codes]
}
