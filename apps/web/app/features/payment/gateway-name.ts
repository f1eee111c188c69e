import type { Translate } from '#app/i18n/create-i18n.ts'

/** Providers are named as everywhere; one that is not known any more by its id. */
export function gatewayName(t: Translate, gateway: string): string {
  return gateway === 'payu' || gateway === 'paypal' || gateway === 'paynow' ? t(`wallet.providers.${gateway}`) : gateway
}
