/**
 * VAT of buyers. Every price shown, charged or invoiced asks here, so that all of them agree.
 */
import { isInEu, vatCountry } from '@wakestone/contract/money/european-union'
import type { TaxTreatment } from '@wakestone/contract/money/tax-treatment'
import type { Settings } from '@wakestone/kit/settings'
import type { Handle } from '#src/db/client.ts'
import { findPaymentCountry, findRate, findTaxFacts, type TaxFacts, writeTaxSettings } from './repo.ts'

export { findTaxPoint } from './repo.ts'
export { taxWithin } from './tax-within.ts'

export type BuyerTax = {
  /** Where the sale is taxed, and the rate as a fraction. */
  country_code: string
  vat_rate: number
  treatment: TaxTreatment
}

/** A user is taxed by their invoice data, as far as these are believed, else where they registered; a visitor by the country they seem to be in. */
export type TaxedBuyer = { userId: string } | { countryCode: string }

/** What VAT a buyer pays now, or paid at a moment. */
export async function taxOf(db: Handle, buyer: TaxedBuyer, at?: Date): Promise<BuyerTax> {
  const told = await findTaxFacts(db, buyer)
  if (told?.country == null) throw new Error('there is no such buyer')
  const facts = { ...told, country: await believe(db, buyer, told) }
  const treatment = treatmentOf(facts)
  const rated = vatCountry(treatment === 'seller_rate' ? facts.seller_country : facts.country)
  const isTaxed = treatment !== 'reverse_charge' && treatment !== 'outside'
  const vat_rate = isTaxed ? ((await findRate(db, rated, at)) ?? 0) : 0
  return { country_code: rated, vat_rate, treatment }
}

/**
 * Where a buyer is taken to be. Nobody's own word takes VAT away: invoice data lead out of the EU only with a second
 * piece of evidence, the address of registration or that of the last payment. Businesses there give a tax id.
 */
async function believe(db: Handle, buyer: TaxedBuyer, facts: TaxFacts): Promise<string> {
  const { country, account_country, seller_country } = facts
  if (country === seller_country) return country
  const isOutside = (place: string | null | undefined) => place != null && !isInEu(place)
  if (!('userId' in buyer) || !isOutside(country) || account_country === null || isOutside(account_country))
    return country
  if (facts.is_company && facts.tax_id !== null) return country
  return isOutside(await findPaymentCountry(db, buyer.userId)) ? country : account_country
}

function treatmentOf(facts: TaxFacts): TaxTreatment {
  const { seller_country, scheme } = facts
  const country = vatCountry(facts.country)
  if (country === vatCountry(seller_country)) return 'domestic'
  if (!isInEu(country)) return 'outside'
  // Only a valid id: while the register has not answered, a company pays what a consumer pays.
  if (facts.is_company && facts.tax_id_state === 'valid') return 'reverse_charge'
  return scheme === 'local' && isInEu(seller_country) ? 'seller_rate' : 'destination'
}

/** Has the database know what the settings say. */
export async function ensureTaxSettings({
  db,
  settings,
}: {
  db: Handle
  settings: Pick<Settings, 'SELLER_COUNTRY' | 'VAT_SCHEME' | 'TOP_UP_TAX_POINT' | 'SELLER_TIME_ZONE'>
}): Promise<void> {
  await writeTaxSettings(db, {
    seller_country: settings.SELLER_COUNTRY,
    scheme: settings.VAT_SCHEME,
    top_up_tax_point: settings.TOP_UP_TAX_POINT,
    time_zone: settings.SELLER_TIME_ZONE,
  })
}
