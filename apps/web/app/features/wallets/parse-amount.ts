/**
 * What somebody typed, in minor units: `50`, `19,99`, `1 000.50`. Null when it is no amount, or has more
 * decimals than the currency.
 */
export function parseAmount(typed: string, digits: number): number | null {
  const compact = typed.replace(/[\s\u00a0\u202f]/g, '')
  const match = /^(\d{1,9})(?:[.,](\d+))?$/.exec(compact)
  if (match === null) return null
  const [, whole = '', decimals = ''] = match
  if (decimals.length > digits) return null
  return Number(whole) * 10 ** digits + Number(decimals.padEnd(digits, '0') || 0)
}
