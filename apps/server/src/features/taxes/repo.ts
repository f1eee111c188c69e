import { sql } from 'kysely'
import type { Handle } from '#src/db/client.ts'

export type TaxFacts = {
  country: string
  /** Of a user: what their invoice data say, and where they were when they registered. */
  billing_country: string | null
  account_country: string | null
  is_company: boolean
  tax_id: string | null
  tax_id_state: string | null
  seller_country: string
  scheme: 'oss' | 'local'
}

/** What decides about a buyer's VAT: one query, because it runs within every purchase. */
export async function findTaxFacts(
  db: Handle,
  { userId, countryCode }: { userId?: string | undefined; countryCode?: string | undefined },
): Promise<TaxFacts | undefined> {
  const { rows } = await sql<TaxFacts>`
    select coalesce(tax_data.country, users.country_code, ${countryCode ?? null}::text) as country,
      tax_data.country as billing_country, users.country_code as account_country,
      coalesce(tax_data.kind = 'company', false) as is_company, tax_data.tax_id, tax_id_checks.state as tax_id_state,
      tax_settings.seller_country, tax_settings.scheme
    from tax_settings
    left join users on users.id = ${userId ?? null}::uuid
    left join tax_data on tax_data.user_id = users.id and tax_data.replaced_at is null
    left join tax_id_checks on tax_id_checks.id = tax_data.check_id`.execute(db)
  return rows[0]
}

/** Standard rate that a country has on a day; that of the database's clock without one. */
export async function findRate(db: Handle, countryCode: string, at: Date | undefined): Promise<number | undefined> {
  const row = await db
    .selectFrom('tax_rates')
    .select('rate')
    .where('country_code', '=', countryCode)
    .where('valid_from', '<=', at === undefined ? sql<Date>`current_date` : sql<Date>`${at}::timestamptz::date`)
    .orderBy('valid_from', 'desc')
    .executeTakeFirst()
  return row === undefined ? undefined : Number(row.rate)
}

export async function writeTaxSettings(
  db: Handle,
  row: { seller_country: string; scheme: 'oss' | 'local' },
): Promise<void> {
  await db.updateTable('tax_settings').set(row).execute()
}
