import { sql } from 'kysely'
import type { Handle } from '#src/db/client.ts'

export async function findRate(db: Handle, countryCode: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('tax_rates')
    .select('rate')
    .where('country_code', '=', countryCode)
    .where('valid_from', '<=', sql<Date>`current_date`)
    .orderBy('valid_from', 'desc')
    .executeTakeFirst()
  return row?.rate
}
