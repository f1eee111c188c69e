/**
 * VAT of buyers.
 */
import type { Handle } from '#src/db/client.ts'
import { findRate } from './repo.ts'

/** Standard rate as a fraction (0.23); 0 for countries without one in the table. */
export async function vatRateOf(db: Handle, countryCode: string): Promise<number> {
  return Number((await findRate(db, countryCode)) ?? 0)
}
