/** Tax, invoices and what they are sent to. */
import { z } from 'zod'
import { text, url, type Setting } from './setting.ts'

export const taxes = {
  SELLER_COUNTRY: {
    group: 'Tax and invoices',
    about: 'Country in which the seller is registered for VAT.',
    takes: 'two letters',
    schema: z.string().regex(/^[A-Z]{2}$/),
    fallback: 'PL',
  },
  VAT_SCHEME: {
    group: 'Tax and invoices',
    about:
      'What consumers elsewhere in the EU pay: `oss`, the rate of their own country, which you report through the One Stop Shop; `local`, your own, allowed while such sales stay below 10 000 € a year.',
    takes: '`oss` or `local`',
    schema: z.enum(['oss', 'local']),
    fallback: 'oss',
  },
  TOP_UP_TAX_POINT: {
    group: 'Tax and invoices',
    about:
      'When VAT on money paid into a wallet is due: `purchase`, when it is spent (a balance is a multi-purpose voucher); `deposit`, when it is paid in, with a document of the top-up (a single-purpose voucher). What was taxed once is not taxed again after a change.',
    takes: '`purchase` or `deposit`',
    schema: z.enum(['purchase', 'deposit']),
    fallback: 'purchase',
  },
  SELLER_ADDRESS: {
    group: 'Tax and invoices',
    about:
      'Street and number of the seller, for invoices. Invoices also state OPERATOR_NAME and OPERATOR_VAT_ID; until all of these are set, no document is issued in production, and elsewhere documents are marked as samples.',
    takes: 'text',
    schema: text.optional(),
  },
  SELLER_POSTAL_CODE: {
    group: 'Tax and invoices',
    about: 'Postal code of the seller.',
    takes: 'text',
    schema: text.optional(),
  },
  SELLER_CITY: { group: 'Tax and invoices', about: 'City of the seller.', takes: 'text', schema: text.optional() },
  SELLER_TIME_ZONE: {
    group: 'Tax and invoices',
    about:
      'Time zone that determines the day of a sale, and with it the VAT rate and the year in a number. E-mails and notifications give times in it until the reader’s browser has reported its own.',
    takes: 'a name such as `Europe/Warsaw`',
    schema: z.string().refine((zone) => Intl.supportedValuesOf('timeZone').includes(zone) || zone === 'UTC'),
    fallback: 'Europe/Warsaw',
  },
  INVOICE_PREFIX: {
    group: 'Tax and invoices',
    about: 'Prefix of invoice numbers, as in `INV/2026/000001`.',
    takes: 'letters, digits, `-`',
    schema: z.string().regex(/^[A-Z0-9-]{1,12}$/i),
    fallback: 'INV',
  },
  RECEIPT_PREFIX: {
    group: 'Tax and invoices',
    about: 'Prefix of receipt numbers.',
    takes: 'letters, digits, `-`',
    schema: z.string().regex(/^[A-Z0-9-]{1,12}$/i),
    fallback: 'RCP',
  },
  CREDIT_NOTE_PREFIX: {
    group: 'Tax and invoices',
    about: 'Prefix of credit note numbers.',
    takes: 'letters, digits, `-`',
    schema: z.string().regex(/^[A-Z0-9-]{1,12}$/i),
    fallback: 'CRN',
  },
  VAT_HOME_CURRENCY: {
    group: 'Tax and invoices',
    about:
      'Currency in which VAT is stated in addition to that of the sale, at the mid rate of Narodowy Bank Polski of the business day before; `none`: only in that of the sale.',
    takes: '`PLN` or `none`',
    schema: z.enum(['PLN', 'none']),
    fallback: 'PLN',
  },
  NBP_URL: {
    group: 'Tax and invoices',
    about: 'API of Narodowy Bank Polski, for its exchange rates.',
    takes: 'an http(s) address',
    schema: url,
    fallback: 'https://api.nbp.pl/api',
  },
  KSEF_URL: {
    group: 'Tax and invoices',
    about:
      'API of KSeF, Poland’s register of invoices, such as `https://api.ksef.mf.gov.pl/v2`. With `KSEF_TOKEN`, invoices of businesses are sent there. Unset: none are.',
    takes: 'an http(s) address',
    schema: url.optional(),
  },
  KSEF_TOKEN: {
    secret: true,
    group: 'Tax and invoices',
    about: 'Token of KSeF with the right to issue invoices for the seller’s NIP.',
    takes: 'text',
    schema: text.optional(),
  },
  KSEF_QR_URL: {
    group: 'Tax and invoices',
    about: 'Where the code on a printed invoice leads, to check whether KSeF has it.',
    takes: 'an http(s) address',
    schema: url,
    fallback: 'https://qr.ksef.mf.gov.pl',
  },
} as const satisfies Record<string, Setting>
