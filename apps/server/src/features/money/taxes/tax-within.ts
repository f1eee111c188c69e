/** The VAT within a gross amount; net is rounded to the nearest, a half up. */
export function taxWithin(gross: number, vatRate: number): number {
  const divisor = 10_000n + BigInt(Math.round(vatRate * 10_000))
  return gross - Number((BigInt(gross) * 20_000n + divisor) / (2n * divisor))
}
