/** Who sells, as the operator's settings say. */
import type { Settings } from '@wakestone/kit/settings'
import type { Snapshot } from './snapshot.ts'

export type SellerSettings = Pick<
  Settings,
  | 'NODE_ENV'
  | 'OPERATOR_NAME'
  | 'OPERATOR_VAT_ID'
  | 'OPERATOR_REGISTRATION'
  | 'SUPPORT_EMAIL'
  | 'SELLER_ADDRESS'
  | 'SELLER_POSTAL_CODE'
  | 'SELLER_CITY'
  | 'SELLER_COUNTRY'
>

/** Documents wait until the operator has said who sells. */
export class SellerUnknown extends Error {}

/**
 * The seller. Outside production, where nothing is really sold, one is made up, and the document says so.
 * @throws SellerUnknown
 */
export function sellerOf(settings: SellerSettings): { seller: Snapshot['seller']; sample: boolean } {
  const { OPERATOR_NAME, OPERATOR_VAT_ID, SELLER_ADDRESS, SELLER_POSTAL_CODE, SELLER_CITY } = settings
  const rest = {
    country: settings.SELLER_COUNTRY,
    registration: settings.OPERATOR_REGISTRATION ?? null,
    email: settings.SUPPORT_EMAIL ?? null,
  }
  if (OPERATOR_NAME && OPERATOR_VAT_ID && SELLER_ADDRESS && SELLER_POSTAL_CODE && SELLER_CITY) {
    const seller = {
      name: OPERATOR_NAME,
      vat_id: OPERATOR_VAT_ID,
      address: SELLER_ADDRESS,
      postal_code: SELLER_POSTAL_CODE,
      city: SELLER_CITY,
    }
    return { seller: { ...seller, ...rest }, sample: false }
  }
  if (settings.NODE_ENV === 'production')
    throw new SellerUnknown(
      'OPERATOR_NAME, OPERATOR_VAT_ID, SELLER_ADDRESS, SELLER_POSTAL_CODE and SELLER_CITY are not all set',
    )
  const sample = {
    name: 'Wakestone Demo',
    vat_id: 'PL5260001246',
    address: 'ul. Przykładowa 1',
    postal_code: '00-001',
    city: 'Warszawa',
  }
  return {
    seller: { ...sample, ...rest, name: OPERATOR_NAME ?? sample.name, vat_id: OPERATOR_VAT_ID ?? sample.vat_id },
    sample: true,
  }
}
