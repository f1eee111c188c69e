/** Plain values that pages need without the schemas: what is only shown does not carry zod into the browser. */
export const languages = ['en', 'pl', 'de'] as const
export type Language = (typeof languages)[number]

/** Currencies wallets are offered in. */
export const walletCurrencies = ['PLN', 'EUR', 'USD'] as const
export type Currency = (typeof walletCurrencies)[number]

export const billingPeriods = ['720h', '2160h', '8760h'] as const
export type BillingPeriod = (typeof billingPeriods)[number]
export function hoursOfPeriod(period: BillingPeriod): number {
  return Number.parseInt(period, 10)
}
