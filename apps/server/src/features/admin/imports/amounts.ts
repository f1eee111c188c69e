/** Amounts as other systems write them, in whole minor units: by their digits, never by way of a fraction. */

/** Of all currencies that wallets have. */
const decimals = 2

/** @returns undefined for what is no amount, or not whole minor units */
export function minorUnits(text: string): number | undefined {
  const match = /^(-?)(\d{1,13})(?:\.(\d{1,10}))?$/.exec(text.trim())
  if (match === null) return undefined
  const [, sign = '', whole = '', fraction = ''] = match
  if (!/^0*$/.test(fraction.slice(decimals))) return undefined
  const amount = Number(whole + fraction.slice(0, decimals).padEnd(decimals, '0'))
  if (!Number.isSafeInteger(amount)) return undefined
  return sign === '-' && amount !== 0 ? -amount : amount
}
