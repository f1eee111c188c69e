import { type Handle, runPrepared } from '#src/db/client.ts'

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
  const [row] = await runPrepared<TaxFacts>(db, taxFacts, [countryCode ?? null, userId ?? null])
  return row
}

const taxFacts = {
  name: 'tax-facts',
  text: `select coalesce(tax_data.country, users.country_code, $1::text) as country,
      tax_data.country as billing_country, users.country_code as account_country,
      coalesce(tax_data.kind = 'company', false) as is_company, tax_data.tax_id, tax_id_checks.state as tax_id_state,
      tax_settings.seller_country, tax_settings.scheme
    from tax_settings
    left join users on users.id = $2::uuid
    left join tax_data on tax_data.user_id = users.id and tax_data.replaced_at is null
    left join tax_id_checks on tax_id_checks.id = tax_data.check_id`,
}

/** Where the address of a user's last payment was, as far as that is known. */
export async function findPaymentCountry(db: Handle, userId: string): Promise<string | undefined> {
  const [row] = await runPrepared<{ country: string }>(db, paymentCountry, [userId])
  return row?.country
}

const paymentCountry = {
  name: 'payment-country',
  text: `select details ->> 'payer_country' as country from transactions
    where user_id = $1::uuid and action = 'DEPOSIT' and status = 'COMPLETED' and details ? 'payer_country'
    order by id desc limit 1`,
}

/** Standard rate that a country has on the seller's day of a moment; now without one. */
export async function findRate(db: Handle, countryCode: string, at: Date | undefined): Promise<number | undefined> {
  const [row] = await runPrepared<{ rate: string }>(db, rateOn, [countryCode, at ?? null])
  return row === undefined ? undefined : Number(row.rate)
}

const rateOn = {
  name: 'tax-rate',
  text: `select rate from tax_rates where country_code = $1 and valid_from <= (coalesce($2::timestamptz, now()) at time zone (select time_zone from tax_settings))::date
    order by valid_from desc limit 1`,
}

/** When VAT on money in a wallet is due. */
export type TaxPoint = 'purchase' | 'deposit'

export async function findTaxPoint(db: Handle): Promise<TaxPoint> {
  const row = await db.selectFrom('tax_settings').select('top_up_tax_point').executeTakeFirstOrThrow()
  return row.top_up_tax_point as TaxPoint
}

export async function writeTaxSettings(
  db: Handle,
  row: { seller_country: string; scheme: 'oss' | 'local'; top_up_tax_point: TaxPoint; time_zone: string },
): Promise<void> {
  await db.updateTable('tax_settings').set(row).execute()
}
