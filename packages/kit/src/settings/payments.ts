/** Providers of payments. */
import { z } from 'zod'
import { currencies, flag, port, text, url, type Setting } from './setting.ts'

export const payments = {
  KEEP_GATEWAY_MESSAGES_DAYS: {
    group: 'Operator',
    about:
      'Days for which messages from payment providers, which name payers, are kept; the nightly comparison reads those of the last two weeks.',
    takes: 'a number, 30 or more',
    schema: z.coerce.number().int().min(30).max(3660),
    fallback: '90',
  },
  SHOP_SHARE_PERCENT: {
    group: 'Operator',
    about: 'The operator’s share of what a server’s shop sells, as a percentage of the gross price including VAT.',
    takes: 'a number from 0 to 50',
    schema: z.coerce.number().min(0).max(50).multipleOf(0.01),
    fallback: '0',
  },
  SHOP_HOLD_DAYS: {
    group: 'Operator',
    about: 'Days for which shop revenue is held in its owner’s wallet, in case a payment is reversed.',
    takes: 'days',
    schema: z.coerce.number().int().min(0).max(365),
    fallback: '14',
  },
  KEEP_SHOP_BUYERS_DAYS: {
    group: 'Operator',
    about: 'Days for which the e-mail addresses of buyers in servers’ shops are kept.',
    takes: 'days, 30 or more',
    schema: z.coerce.number().int().min(30).max(3660),
    fallback: '400',
  },
  PAYU_URL: {
    group: 'PayU',
    about: 'PayU’s REST API. Unset: PayU is off; the demo uses its simulator.',
    takes: 'an http(s) address',
    schema: url.optional(),
  },
  PAYU_POS_ID: { group: 'PayU', about: 'Point of sale.', takes: 'text', schema: text.optional() },
  PAYU_CLIENT_ID: { group: 'PayU', about: 'OAuth client id.', takes: 'text', schema: text.optional() },
  PAYU_CLIENT_SECRET: {
    secret: true,
    group: 'PayU',
    about: 'OAuth client secret.',
    takes: 'text',
    schema: text.optional(),
  },
  PAYU_SECOND_KEY: {
    secret: true,
    group: 'PayU',
    about: 'Second key, which signs notifications.',
    takes: 'text',
    schema: text.optional(),
  },
  PAYU_POS_ID_EUR: {
    group: 'PayU',
    about: 'Another point of sale, for euros.',
    takes: 'text',
    schema: text.optional(),
  },
  PAYU_CLIENT_ID_EUR: { group: 'PayU', about: 'Its OAuth client id.', takes: 'text', schema: text.optional() },
  PAYU_CLIENT_SECRET_EUR: {
    secret: true,
    group: 'PayU',
    about: 'Its OAuth client secret.',
    takes: 'text',
    schema: text.optional(),
  },
  PAYU_SECOND_KEY_EUR: {
    secret: true,
    group: 'PayU',
    about: 'Its second key.',
    takes: 'text',
    schema: text.optional(),
  },
  PAYU_POS_ID_USD: {
    group: 'PayU',
    about: 'Another point of sale, for dollars.',
    takes: 'text',
    schema: text.optional(),
  },
  PAYU_CLIENT_ID_USD: { group: 'PayU', about: 'Its OAuth client id.', takes: 'text', schema: text.optional() },
  PAYU_CLIENT_SECRET_USD: {
    secret: true,
    group: 'PayU',
    about: 'Its OAuth client secret.',
    takes: 'text',
    schema: text.optional(),
  },
  PAYU_SECOND_KEY_USD: {
    secret: true,
    group: 'PayU',
    about: 'Its second key.',
    takes: 'text',
    schema: text.optional(),
  },
  PAYU_CURRENCIES: {
    group: 'PayU',
    about: 'Currencies that the points of sale settle.',
    takes: 'codes, comma-separated',
    schema: currencies,
    fallback: 'PLN',
  },
  SANDBOX_PORT: {
    group: 'PayU',
    about:
      'Port of the demo’s payment provider, which takes no real money. Unset: HTTP_PORT + 200. Refused in production.',
    takes: 'a port, 0–65535',
    schema: port.optional(),
  },
  PAYPAL_ENVIRONMENT: {
    group: 'PayPal',
    about:
      'Which PayPal to use: `live` is https://api-m.paypal.com, `sandbox` is https://api-m.sandbox.paypal.com, where no real money is moved. Each has its own credentials and webhook.',
    takes: '`live` or `sandbox`',
    schema: z.enum(['live', 'sandbox']),
    fallback: 'live',
  },
  PAYPAL_CLIENT_ID: {
    group: 'PayPal',
    about:
      'Client ID of your REST application. Unset, or without its secret and webhook: PayPal is off; the demo uses its simulator.',
    takes: 'text',
    schema: text.optional(),
  },
  PAYPAL_CLIENT_SECRET: {
    secret: true,
    group: 'PayPal',
    about: 'Secret of your REST application.',
    takes: 'text',
    schema: text.optional(),
  },
  PAYPAL_WEBHOOK_ID: {
    group: 'PayPal',
    about:
      'ID of the webhook that your application sends to `PUBLIC_URL/api/v1/payments/paypal/notify`, with the events for orders, captures and disputes.',
    takes: 'text',
    schema: text.optional(),
  },
  PAYPAL_VERIFICATION: {
    group: 'PayPal',
    about:
      'Who checks the signature of a webhook: `offline`, the product itself, using PayPal’s certificate; `online`, PayPal, which is asked each time.',
    takes: '`offline` or `online`',
    schema: z.enum(['offline', 'online']),
    fallback: 'offline',
  },
  PAYPAL_CURRENCIES: {
    group: 'PayPal',
    about: 'Currencies that your PayPal account accepts.',
    takes: 'codes, comma-separated',
    schema: currencies,
    fallback: 'EUR,USD,PLN',
  },
  PAYPAL_URL: {
    group: 'PayPal',
    about:
      'PayPal’s REST API, if it is neither of the two in PAYPAL_ENVIRONMENT. Outside production, webhook certificates may come from there too.',
    takes: 'an http(s) address',
    schema: url.optional(),
  },
  PAYPAL_SANDBOX_PORT: {
    group: 'PayPal',
    about:
      'Port of the demo’s PayPal simulator, which takes no real money. Unset: HTTP_PORT + 202. Refused in production.',
    takes: 'a port, 0–65535',
    schema: port.optional(),
  },
  PAYNOW_ENVIRONMENT: {
    group: 'PayNow',
    about: 'Which PayNow environment the keys belong to; payments in the sandbox move no money.',
    takes: '`production` or `sandbox`',
    schema: z.enum(['production', 'sandbox']),
    fallback: 'production',
  },
  PAYNOW_URL: {
    group: 'PayNow',
    about: 'PayNow’s API, instead of the address of its environment; the demo uses its simulator.',
    takes: 'an http(s) address',
    schema: url.optional(),
  },
  PAYNOW_API_KEY: {
    group: 'PayNow',
    about: 'API key of the shop. Unset: PayNow and BLIK are off; the demo uses its simulator.',
    takes: 'text',
    schema: text.optional(),
  },
  PAYNOW_SIGNATURE_KEY: {
    secret: true,
    group: 'PayNow',
    about: 'Signature key of the shop, for calls and notifications.',
    takes: 'text',
    schema: text.optional(),
  },
  PAYNOW_API_KEY_EUR: {
    group: 'PayNow',
    about: 'API key of another shop, for euros.',
    takes: 'text',
    schema: text.optional(),
  },
  PAYNOW_SIGNATURE_KEY_EUR: {
    secret: true,
    group: 'PayNow',
    about: 'Its signature key.',
    takes: 'text',
    schema: text.optional(),
  },
  PAYNOW_API_KEY_USD: {
    group: 'PayNow',
    about: 'API key of another shop, for dollars.',
    takes: 'text',
    schema: text.optional(),
  },
  PAYNOW_SIGNATURE_KEY_USD: {
    secret: true,
    group: 'PayNow',
    about: 'Its signature key.',
    takes: 'text',
    schema: text.optional(),
  },
  PAYNOW_CURRENCIES: {
    group: 'PayNow',
    about: 'Currencies that the shops accept; other than PLN by card only, and on request to PayNow. BLIK is PLN only.',
    takes: 'codes, comma-separated',
    schema: currencies,
    fallback: 'PLN',
  },
  PAYNOW_BLIK_CODES: {
    group: 'PayNow',
    about: 'Whether BLIK codes are entered on our page, which PayNow allows on request; otherwise on PayNow’s page.',
    takes: '`0` or `1`',
    schema: flag,
    fallback: '0',
  },
  PAYNOW_SANDBOX_PORT: {
    group: 'PayNow',
    about:
      'Port of the demo’s PayNow simulator, which takes no real money. Unset: HTTP_PORT + 203. Refused in production.',
    takes: 'a port, 0–65535',
    schema: port.optional(),
  },
} as const satisfies Record<string, Setting>
