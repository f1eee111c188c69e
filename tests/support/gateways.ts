/** Our accounts at the payment providers in tests, as their simulators and the product are told of them. */
export const payuKeys = {
  posId: '300746',
  clientId: '300746',
  clientSecret: 'client-secret',
  secondKey: 'second-key',
}
export const payuEuroKeys = { posId: '300747', clientId: '300747', clientSecret: 'euro-secret', secondKey: 'euro-key' }
export const paynowShop = { apiKey: 'api-pln', signatureKey: 'signature-pln', currencies: ['PLN'] }
export const paynowEuroShop = { apiKey: 'api-eur', signatureKey: 'signature-eur', currencies: ['EUR'] }
export const paypalKeys = { clientId: 'client', clientSecret: 'client-secret', webhookId: 'WEBHOOK1' }

/** Where simulators are reached, and how much shorter than those of the real ones their waits are. */
export const gatewayPlace = { host: '127.0.0.1', timeScale: 0.002 }

type Simulator = { url: string }

/** Settings by which the product offers the gateways whose simulators are there; PayNow's shop takes BLIK codes. */
export const gatewaySettings = ({
  payu,
  paynow,
  paypal,
}: {
  payu?: Simulator
  paynow?: Simulator
  paypal?: Simulator | undefined
}): Record<string, string> => ({
  ...(payu && {
    PAYU_URL: payu.url,
    PAYU_POS_ID: payuKeys.posId,
    PAYU_CLIENT_ID: payuKeys.clientId,
    PAYU_CLIENT_SECRET: payuKeys.clientSecret,
    PAYU_SECOND_KEY: payuKeys.secondKey,
  }),
  ...(paynow && {
    PAYNOW_URL: paynow.url,
    PAYNOW_API_KEY: paynowShop.apiKey,
    PAYNOW_SIGNATURE_KEY: paynowShop.signatureKey,
    PAYNOW_API_KEY_EUR: paynowEuroShop.apiKey,
    PAYNOW_SIGNATURE_KEY_EUR: paynowEuroShop.signatureKey,
    PAYNOW_CURRENCIES: 'PLN,EUR',
    PAYNOW_BLIK_CODES: '1',
  }),
  ...(paypal && {
    PAYPAL_URL: paypal.url,
    PAYPAL_CLIENT_ID: paypalKeys.clientId,
    PAYPAL_CLIENT_SECRET: paypalKeys.clientSecret,
    PAYPAL_WEBHOOK_ID: paypalKeys.webhookId,
  }),
})
