/** Who runs it, and what the site says of it. */
import { z } from 'zod'
import { text, url, urls, type Setting } from './setting.ts'

export const business = {
  DOCS_URL: {
    group: 'Site',
    about:
      'Documentation for customers, linked in the footer instead of ours; `{lang}` becomes the reader’s language. Unset: `/docs`.',
    takes: 'an http(s) address',
    schema: url.optional(),
  },
  SOURCE_URL: {
    group: 'Site',
    about: 'Where the source code of this copy can be read, linked on the home page and in the footer. Unset: no link.',
    takes: 'an http(s) address',
    schema: url.optional(),
  },
  SECURITY_CONTACT: {
    group: 'Site',
    about:
      'Where to report weaknesses of this installation, told at `/.well-known/security.txt` (RFC 9116). Unset: no such page.',
    takes: 'a `mailto:` or https address',
    schema: z.url({ protocol: /^(https|mailto)$/ }).optional(),
  },
  SOCIAL_LINKS: {
    group: 'Site',
    about: 'Your profiles and chat community, linked on public pages.',
    takes: 'https addresses, comma-separated',
    schema: urls.optional(),
  },
  REVIEW_WIDGET_URL: {
    group: 'Site',
    about:
      'Page with your reviews, framed on the home page for visitors outside Poland who have agreed to advertising. Unset: none.',
    takes: 'an https address',
    schema: z.url({ protocol: /^https$/ }).optional(),
  },
  PARTNER_MARKER: {
    group: 'Site',
    about: 'Value of `utm_source` that marks a visitor as sent by a partner.',
    takes: 'letters, digits, `-`, `_`',
    schema: z
      .string()
      .regex(/^[\w-]{1,64}$/)
      .optional(),
  },
  ANALYTICS_SCRIPT_URL: {
    group: 'Site',
    about:
      'Script that measures visits. Loaded under `PUBLIC_URL` only, and only for visitors who have agreed to analytics.',
    takes: 'an https address',
    schema: z.url({ protocol: /^https$/ }).optional(),
  },
  ANALYTICS_HOSTS: {
    group: 'Site',
    about: 'Other origins that this script reports to; the content security policy is opened for them.',
    takes: 'https addresses, comma-separated',
    schema: urls.optional(),
  },
  OPERATOR_NAME: {
    group: 'Operator',
    about: 'Who runs this business: name or company, as the legal documents state it.',
    takes: 'text',
    schema: text.optional(),
  },
  OPERATOR_ADDRESS: {
    group: 'Operator',
    about:
      'Postal address of the operator. E-mails end with it and the operator’s name; if it is unset, with the seller’s address.',
    takes: 'text',
    schema: text.optional(),
  },
  OPERATOR_REGISTRATION: {
    group: 'Operator',
    about: 'Register entries and tax number of the operator, such as `KRS 0000000000, NIP 0000000000`.',
    takes: 'text',
    schema: text.optional(),
  },
  OPERATOR_VAT_ID: {
    group: 'Operator',
    about:
      'The operator’s own VAT ID, such as `PL5260001246`. It is sent to the EU’s register when a customer’s VAT ID is checked, so that the register returns a consultation number.',
    takes: 'a VAT ID with its country',
    schema: z
      .string()
      .regex(/^[A-Z]{2}[A-Z0-9+*]{2,13}$/)
      .optional(),
  },
  VIES_URL: {
    group: 'Operator',
    about: 'REST service of VIES, the EU’s register of VAT IDs.',
    takes: 'an http(s) address',
    schema: url,
    fallback: 'https://ec.europa.eu/taxation_customs/vies/rest-api',
  },
  SUPPORT_EMAIL: {
    group: 'Operator',
    about:
      'Where customers write to, and where tickets are sent; shown on public pages and in the legal documents. Unset: tickets go to `ADMIN_EMAIL`.',
    takes: 'an e-mail address',
    schema: z.email().optional(),
  },
  SUPPORT_ANSWER_HOURS: {
    group: 'Support',
    about: 'Hours within which a customer who writes to support should get an answer; the desk counts them down.',
    takes: 'a number of hours',
    schema: z.coerce.number().int().min(1).max(720),
    fallback: '24',
  },
  SUPPORT_CLOSE_DAYS: {
    group: 'Support',
    about: 'Days after which a solved ticket without new messages is closed.',
    takes: 'a number of days',
    schema: z.coerce.number().int().min(1).max(365),
    fallback: '7',
  },
  SUPPORT_INBOUND_SECRET: {
    secret: true,
    group: 'Support',
    about:
      'Bearer token with which your mail server delivers e-mails for `SUPPORT_EMAIL` to `/internal/mail/inbound`. Unset: replies by e-mail stay in that mailbox.',
    takes: 'at least 24 characters',
    schema: z.string().min(24).optional(),
  },
  SUPPORT_MAIL_BYTES: {
    group: 'Support',
    about: 'Size of the largest e-mail that is accepted, including attachments.',
    takes: 'a number of bytes',
    schema: z.coerce.number().int().min(10_000).max(50_000_000),
    fallback: '15000000',
  },
  SUPPORT_SSO_URL: {
    group: 'Support',
    about:
      'An external help desk of yours that signs people in by JWT, such as `https://example.zendesk.com/access/jwt`. With `SUPPORT_SSO_SECRET`. Unset: the panel’s own pages.',
    takes: 'an https address',
    schema: z.url({ protocol: /^https$/ }).optional(),
  },
  SUPPORT_SSO_SECRET: {
    secret: true,
    group: 'Support',
    about: 'Secret shared with this help desk: it signs the JWTs (HS256).',
    takes: 'at least 16 characters',
    schema: z.string().min(16).optional(),
  },
} as const satisfies Record<string, Setting>
