/**
 * Every setting an operator may give through the environment: name, meaning, default and check in one table.
 * `docs/settings.md` is made from it, and nothing else in the product reads `process.env`.
 */
import { resolve } from 'node:path'
import { z } from 'zod'

const port = z.coerce.number().int().min(0).max(65535)
const url = z.url({ protocol: /^https?$/ })
const flag = z.enum(['0', '1']).transform((value) => value === '1')
const text = z.string()
const count = z.coerce.number().int().min(0).max(100_000)
const currencies = z
  .string()
  .regex(/^[A-Z]{3}(,[A-Z]{3})*$/)
  .transform((list) => list.split(','))
/** Addresses, comma-separated. */
const urls = z
  .string()
  .transform((list) => list.split(',').map((part) => part.trim()))
  .pipe(z.array(z.url({ protocol: /^https$/ })))

type Setting = {
  group:
    | 'Basics'
    | 'Site'
    | 'Operator'
    | 'Accounts'
    | 'Mail'
    | 'Notifications'
    | 'Limits'
    | 'Vouchers'
    | 'Gateway'
    | 'Servers'
    | 'Tax and invoices'
    | 'PayU'
    | 'PayPal'
    | 'PayNow'
    | 'Discord'
  about: string
  takes: string
  schema: z.ZodType
  /** Shown in the documentation; what applies when the variable is unset. */
  fallback?: string
  /** Never shown, not even when it is wrong. */
  secret?: true
}

export const settingsTable = {
  NODE_ENV: {
    group: 'Basics',
    about: 'With `production`, demo accounts and simulators are refused.',
    takes: '`development`, `test` or `production`',
    schema: z.enum(['development', 'test', 'production']),
    fallback: 'development',
  },
  HTTP_PORT: {
    group: 'Basics',
    about: 'Port of the site and the API.',
    takes: 'a port, 0–65535',
    schema: port,
    fallback: '3000',
  },
  HTTP_HOST: {
    group: 'Basics',
    about: 'Address to listen on for the site and the API.',
    takes: 'an IP address',
    schema: text,
    fallback: '0.0.0.0',
  },
  GAME_PORT: {
    group: 'Basics',
    about: 'Port at which players join.',
    takes: 'a port, 0–65535',
    schema: port,
    fallback: '25565',
  },
  SFTP_PORT: { group: 'Basics', about: 'Port of SFTP.', takes: 'a port, 0–65535', schema: port, fallback: '2022' },
  METRICS_PORT: {
    group: 'Basics',
    about:
      'Port of the Prometheus figures of the API, on the loopback address; the worker uses the next one, the gateway the one after. Unset: HTTP_PORT + 100.',
    takes: 'a port, 0–65535',
    schema: port.optional(),
  },
  DATABASE_URL: {
    secret: true,
    group: 'Basics',
    about: 'PostgreSQL to use. Unset: one is embedded, its data in `DATA_DIR/postgres`.',
    takes: 'a `postgres://` address',
    schema: z
      .string()
      .regex(/^postgres(ql)?:\/\//)
      .optional(),
  },
  DATA_DIR: {
    group: 'Basics',
    about: 'Folder of everything that is kept.',
    takes: 'a path',
    schema: text.transform((path) => resolve(path)),
    fallback: './data',
  },
  PUBLIC_URL: {
    group: 'Basics',
    about: 'Address under which customers reach the site. Unset: `http://localhost:HTTP_PORT`.',
    takes: 'an http(s) address',
    schema: url.optional(),
  },
  MAIN_HOSTS: {
    group: 'Basics',
    about: 'Hosts of the main site: pages in German exist there and on localhost only. Unset: the host of PUBLIC_URL.',
    takes: 'host names, comma-separated',
    schema: z
      .string()
      .regex(/^[a-z0-9.-]+(,[a-z0-9.-]+)*$/)
      .transform((list) => list.split(','))
      .optional(),
  },
  GAME_DOMAIN: {
    group: 'Basics',
    about: 'Domain under which servers get their names.',
    takes: 'a host name',
    schema: z.string().regex(/^[a-z0-9.-]+$/),
    fallback: 'localhost',
  },
  LOG_LEVEL: {
    group: 'Basics',
    about: 'Least level that is logged.',
    takes: '`debug`, `info`, `warn`, `error` or `silent`',
    schema: z.enum(['debug', 'info', 'warn', 'error', 'silent']),
    fallback: 'info',
  },
  WEB_DEV: {
    group: 'Basics',
    about: 'Serve pages from their sources and reload them as they change; set by `npm run dev`.',
    takes: '`0` or `1`',
    schema: flag,
    fallback: '0',
  },
  TRUST_PROXY: {
    group: 'Basics',
    about: 'Reverse proxies whose `X-Forwarded-For` is believed.',
    takes: 'IP addresses or networks, comma-separated',
    schema: text.optional(),
  },
  DEFAULT_COUNTRY: {
    group: 'Basics',
    about: 'Country taken when a visitor’s address tells none.',
    takes: 'two letters',
    schema: z.string().regex(/^[A-Z]{2}$/),
    fallback: 'PL',
  },
  GEO_DATABASE: {
    group: 'Basics',
    about:
      'Database of the countries of IP addresses, in the MMDB format with `country_code` or `country.iso_code`. Unset: the one that comes with the product.',
    takes: 'a path',
    schema: text.transform((path) => resolve(path)).optional(),
  },
  DOCS_URL: {
    group: 'Site',
    about: 'Documentation for customers, linked in the footer; `{lang}` becomes the reader’s language. Unset: no link.',
    takes: 'an http(s) address',
    schema: url.optional(),
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
      'Page with your reviews, framed on the home page for visitors outside Poland who agreed to advertising. Unset: none.',
    takes: 'an https address',
    schema: z.url({ protocol: /^https$/ }).optional(),
  },
  PARTNER_MARKER: {
    group: 'Site',
    about: 'Value of `utm_source` by which a visitor is remembered as sent by a partner.',
    takes: 'letters, digits, `-`, `_`',
    schema: z
      .string()
      .regex(/^[\w-]{1,64}$/)
      .optional(),
  },
  ANALYTICS_SCRIPT_URL: {
    group: 'Site',
    about: 'Script that measures visits. Loaded under `PUBLIC_URL` only, and only for who agreed to analytics.',
    takes: 'an https address',
    schema: z.url({ protocol: /^https$/ }).optional(),
  },
  ANALYTICS_HOSTS: {
    group: 'Site',
    about: 'Further origins that this script reports to; the content security policy is opened for them.',
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
    about: 'Postal address of the operator.',
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
      'The operator’s own VAT id, such as `PL5260001246`: named to the EU’s register when it is asked of a customer’s, so that it gives a consultation number.',
    takes: 'a VAT id with its country',
    schema: z
      .string()
      .regex(/^[A-Z]{2}[A-Z0-9+*]{2,13}$/)
      .optional(),
  },
  VIES_URL: {
    group: 'Operator',
    about: 'REST service of VIES, the EU’s register of VAT ids.',
    takes: 'an http(s) address',
    schema: url,
    fallback: 'https://ec.europa.eu/taxation_customs/vies/rest-api',
  },
  SUPPORT_EMAIL: {
    group: 'Operator',
    about:
      'Where customers write to, and where tickets are mailed; shown on public pages and in the legal documents. Unset: tickets go to `ADMIN_EMAIL`.',
    takes: 'an e-mail address',
    schema: z.email().optional(),
  },
  ADMIN_EMAIL: {
    group: 'Accounts',
    about: 'Administrator made at the first start.',
    takes: 'an e-mail address',
    schema: z.email(),
    fallback: 'admin@wakestone.local',
  },
  ADMIN_PASSWORD: {
    secret: true,
    group: 'Accounts',
    about: 'The administrator’s password. Unset: generated, kept in `DATA_DIR/secrets.json`.',
    takes: '10–128 characters',
    schema: z.string().min(10).max(128).optional(),
  },
  DEMO: {
    group: 'Accounts',
    about: 'Make a demo customer. Unset: on outside production.',
    takes: '`0` or `1`',
    schema: flag.optional(),
  },
  REFERRAL_HOURS: {
    group: 'Accounts',
    about: 'Hours that both get when somebody comes by a referral code, is verified and has played.',
    takes: 'hours',
    schema: count,
    fallback: '24',
  },
  REFERRAL_PAYMENT_HOURS: {
    group: 'Accounts',
    about: 'Hours for whoever invited somebody on that somebody’s first payment.',
    takes: 'hours',
    schema: count,
    fallback: '72',
  },
  REFERRAL_MONTHLY_HOURS: {
    group: 'Accounts',
    about: 'Hours from invitations that one account gets within 30 days at most.',
    takes: 'hours',
    schema: count,
    fallback: '240',
  },
  AFFILIATE_PERCENT: {
    group: 'Accounts',
    about: 'Share of an affiliate in what those top up whom they have brought.',
    takes: 'per cent, 1–100',
    schema: z.coerce.number().int().min(1).max(100),
    fallback: '10',
  },
  AFFILIATE_MONTHS: {
    group: 'Accounts',
    about: 'For how many months somebody who was brought counts.',
    takes: 'months',
    schema: count,
    fallback: '12',
  },
  AFFILIATE_HOLD_DAYS: {
    group: 'Accounts',
    about: 'Days for which an affiliate’s share is held, in case the payment goes back.',
    takes: 'days',
    schema: count,
    fallback: '30',
  },
  PAY_LATER_DAYS: {
    group: 'Accounts',
    about: 'Days within which a bill of pay-later is to be paid. The flag `pay-later` opens it.',
    takes: 'days, 1 or more',
    schema: z.coerce.number().int().min(1).max(365),
    fallback: '14',
  },
  PAY_LATER_PERCENT: {
    group: 'Accounts',
    about: 'How much may be owed: this share of what the account has paid in within a year, in the same currency.',
    takes: 'per cent',
    schema: count,
    fallback: '50',
  },
  PAY_LATER_MAXIMUM: {
    group: 'Accounts',
    about: 'Most that one account may owe in a currency.',
    takes: 'minor units, such as cents',
    schema: z.coerce.number().int().min(0).max(1_000_000),
    fallback: '10000',
  },
  PAY_LATER_ACCOUNT_DAYS: {
    group: 'Accounts',
    about: 'Age an account has to have before it may buy on a bill.',
    takes: 'days',
    schema: count,
    fallback: '60',
  },
  REFERRAL_PLAY_MINUTES: {
    group: 'Accounts',
    about: 'How long somebody who was invited has to play on their server before the invitation counts.',
    takes: 'minutes',
    schema: count,
    fallback: '60',
  },
  MAIL_URL: {
    secret: true,
    group: 'Mail',
    about:
      'SMTP server. Its connection is encrypted (STARTTLS with `smtp://`) unless it is on this machine, or the address ends in `?requireTLS=false`. Unset: each message is written to `DATA_DIR/outbox/` and shown to administrators.',
    takes: 'an `smtp://` or `smtps://` address',
    schema: z
      .string()
      .regex(/^smtps?:\/\//)
      .optional(),
  },
  MAIL_FROM: {
    group: 'Mail',
    about: 'Sender of mail.',
    takes: 'an address',
    schema: text,
    fallback: 'Wakestone <no-reply@wakestone.local>',
  },
  KEEP_EVENTS_MONTHS: {
    group: 'Accounts',
    about: 'Months for which audit events are kept; the database itself refuses to remove any within twelve.',
    takes: 'a number, 12 or more',
    schema: z.coerce.number().int().min(12).max(600),
    fallback: '12',
  },
  KEEP_LOGIN_FAILURES_DAYS: {
    group: 'Accounts',
    about: 'Days for which failed logins are kept, which slow guessing down.',
    takes: 'a number, 1 or more',
    schema: z.coerce.number().int().min(1).max(366),
    fallback: '7',
  },
  KEEP_NOTIFICATIONS_MONTHS: {
    group: 'Accounts',
    about: 'Months for which notifications are kept, read or not.',
    takes: 'a number, 1 or more',
    schema: z.coerce.number().int().min(1).max(600),
    fallback: '12',
  },
  KEEP_DELIVERIES_DAYS: {
    group: 'Accounts',
    about: 'Days for which it is kept that a notification was mailed, posted or pushed, or why not.',
    takes: 'a number, 1 or more',
    schema: z.coerce.number().int().min(1).max(3660),
    fallback: '30',
  },
  KEEP_CONSENTS_MONTHS: {
    group: 'Accounts',
    about: 'Months for which the evidence of a newsletter subscription is kept after its end.',
    takes: 'a number, 1 or more',
    schema: z.coerce.number().int().min(1).max(600),
    fallback: '36',
  },
  LIMIT_API_KEY_CALLS: {
    group: 'Limits',
    about: 'Calls that one API key makes in a minute.',
    takes: 'a number, 0 for no limit',
    schema: count,
    fallback: '600',
  },
  MAIL_DKIM_DOMAIN: {
    group: 'Mail',
    about:
      'Domain that signs mail by DKIM, with `MAIL_DKIM_SELECTOR` and `MAIL_DKIM_KEY_FILE`. Unset: mail is not signed here.',
    takes: 'a host name',
    schema: z
      .string()
      .regex(/^[a-z0-9.-]+$/)
      .optional(),
  },
  MAIL_DKIM_SELECTOR: {
    group: 'Mail',
    about: 'Selector of the DKIM key: its public half is published at `<selector>._domainkey.<domain>`.',
    takes: 'letters, digits, `-`, `.`',
    schema: z
      .string()
      .regex(/^[A-Za-z0-9.-]+$/)
      .optional(),
  },
  MAIL_DKIM_KEY_FILE: {
    group: 'Mail',
    about: 'File with the private DKIM key, RSA in PEM.',
    takes: 'a path',
    schema: text.transform((path) => resolve(path)).optional(),
  },
  WEBHOOK_HOSTS: {
    group: 'Notifications',
    about: 'Hosts that webhooks of customers may lie on.',
    takes: 'host names, comma-separated',
    schema: z
      .string()
      .regex(/^[a-z0-9.:-]+(,[a-z0-9.:-]+)*$/)
      .transform((list) => list.split(',')),
    fallback: 'discord.com,discordapp.com,ptb.discord.com,canary.discord.com',
  },
  ALLOW_PRIVATE_TARGETS: {
    group: 'Notifications',
    about:
      'Let webhooks and pushes go to addresses of this machine and its network, without TLS. Refused in production.',
    takes: '`0` or `1`',
    schema: flag,
    fallback: '0',
  },
  LIMIT_REGISTRATIONS: {
    group: 'Limits',
    about: 'Registrations from one address in an hour.',
    takes: 'a number, 0 for no limit',
    schema: count,
    fallback: '20',
  },
  LIMIT_TRANSACTIONS: {
    group: 'Limits',
    about: 'Top-ups begun by one account, or from one address, in an hour.',
    takes: 'a number, 0 for no limit',
    schema: count,
    fallback: '60',
  },
  LIMIT_CLICKS: {
    group: 'Limits',
    about: 'Visits by affiliates’ links that one address has counted in an hour.',
    takes: 'a number, 0 for no limit',
    schema: count,
    fallback: '120',
  },
  LIMIT_TICKETS: {
    group: 'Limits',
    about: 'Tickets from one account, mailbox or address in an hour.',
    takes: 'a number, 0 for no limit',
    schema: count,
    fallback: '5',
  },
  LIMIT_NEWSLETTER: {
    group: 'Limits',
    about: 'Newsletter sign-ups of one mailbox, or from one address, in an hour.',
    takes: 'a number, 0 for no limit',
    schema: count,
    fallback: '5',
  },
  LIMIT_DISCORD: {
    group: 'Limits',
    about: 'Ways to Discord begun from one address in an hour.',
    takes: 'a number, 0 for no limit',
    schema: count,
    fallback: '120',
  },
  LIMIT_MAILS: {
    group: 'Limits',
    about: 'Links and codes by mail that one mailbox gets, or one address asks for, in an hour.',
    takes: 'a number, 0 for no limit',
    schema: count,
    fallback: '20',
  },
  LIMIT_EXPORTS: {
    group: 'Limits',
    about: 'Lists of events that one account, or one address, saves as files in an hour.',
    takes: 'a number, 0 for no limit',
    schema: count,
    fallback: '30',
  },
  LIMIT_INVITATIONS: {
    group: 'Limits',
    about: 'Invitations to share servers that one account sends in a day.',
    takes: 'a number, 0 for no limit',
    schema: count,
    fallback: '20',
  },
  SHARED_PEOPLE: {
    group: 'Limits',
    about: 'People that one server is shared with at most, invitations that wait included.',
    takes: 'a number',
    schema: count,
    fallback: '20',
  },
  LIMIT_VOUCHERS: {
    group: 'Limits',
    about: 'Vouchers that one account redeems in a day.',
    takes: 'a number, 0 for no limit',
    schema: count,
    fallback: '5',
  },
  LIMIT_VOUCHER_FAILURES: {
    group: 'Limits',
    about: 'Codes of vouchers that do not exist, or not any more, that one account tries in an hour.',
    takes: 'a number, 0 for no limit',
    schema: count,
    fallback: '10',
  },
  LIMIT_VOUCHER_FAILURES_PER_ADDRESS: {
    group: 'Limits',
    about: 'The same, from one address.',
    takes: 'a number, 0 for no limit',
    schema: count,
    fallback: '30',
  },
  VOUCHER_DAILY_CODES: {
    group: 'Vouchers',
    about: 'Codes that one administrator makes in a day.',
    takes: 'a number, 1 or more',
    schema: count.min(1),
    fallback: '200',
  },
  VOUCHER_DAILY_HOURS: {
    group: 'Vouchers',
    about: 'Hours that the vouchers which one administrator makes in a day give together.',
    takes: 'a number',
    schema: count,
    fallback: '5000',
  },
  VOUCHER_DAILY_VALUE: {
    group: 'Vouchers',
    about:
      'Money that the vouchers which one administrator makes in a day give together, in each currency: into wallets, and off the prices of plans and add-ons.',
    takes: 'an amount in minor units, such as cents',
    schema: z.coerce.number().int().min(0).max(1_000_000_000),
    fallback: '100000',
  },
  VOUCHER_DAYS: {
    group: 'Vouchers',
    about: 'Days after which a voucher expires, unless it was made with another end.',
    takes: 'days',
    schema: z.coerce.number().int().min(1).max(3660),
    fallback: '365',
  },
  TRIAL_EVERY_DAYS: {
    group: 'Vouchers',
    about: 'Days after which an account may try a server again.',
    takes: 'days',
    schema: z.coerce.number().int().min(1).max(3660),
    fallback: '90',
  },
  TRIAL_KEEP_HOURS: {
    group: 'Vouchers',
    about: 'Hours after its end for which a trial server can be bought, before it is removed.',
    takes: 'hours',
    schema: z.coerce.number().int().min(0).max(8760),
    fallback: '72',
  },
  GAME_HOST: {
    group: 'Gateway',
    about: 'Address to listen on for players. Unset: every address, IPv4 and IPv6.',
    takes: 'an IP address',
    schema: text.optional(),
  },
  API_URL: {
    group: 'Gateway',
    about: 'Where the gateway finds the API. Unset: `http://127.0.0.1:HTTP_PORT`.',
    takes: 'an http(s) address',
    schema: url.optional(),
  },
  GATEWAY_PROXY_IN: {
    group: 'Gateway',
    about: 'Expect PROXY protocol v2 in front of every connection.',
    takes: '`0` or `1`',
    schema: flag,
    fallback: '0',
  },
  GATEWAY_CONNECTIONS_PER_ADDRESS: {
    group: 'Gateway',
    about: 'Open connections one address may hold.',
    takes: 'a number',
    schema: z.coerce.number().int().min(1),
    fallback: '64',
  },
  GATEWAY_CONNECTION_RATE: {
    group: 'Gateway',
    about: 'New connections one address may open in 10 s.',
    takes: 'a number',
    schema: z.coerce.number().int().min(1),
    fallback: '200',
  },
  GATEWAY_HANDSHAKE_SECONDS: {
    group: 'Gateway',
    about: 'Time a client has for its handshake.',
    takes: 'seconds',
    schema: z.coerce.number().min(0.1).max(60),
    fallback: '5',
  },
  ALLOW_UNSANDBOXED: {
    group: 'Servers',
    about: 'Run games without a sandbox where bubblewrap cannot run. Unsafe.',
    takes: '`0` or `1`',
    schema: flag,
    fallback: '0',
  },
  BWRAP_PATH: {
    group: 'Servers',
    about: 'The bubblewrap program.',
    takes: 'a path or name',
    schema: text,
    fallback: 'bwrap',
  },
  MOJANG_META_URL: {
    group: 'Servers',
    about: 'Version manifest of Minecraft.',
    takes: 'an http(s) address',
    schema: url,
    fallback: 'https://piston-meta.mojang.com/mc/game/version_manifest_v2.json',
  },
  PAPER_FILL_URL: {
    group: 'Servers',
    about: 'PaperMC’s Fill API, version 3.',
    takes: 'an http(s) address',
    schema: url,
    fallback: 'https://fill.papermc.io/v3',
  },
  ADOPTIUM_URL: {
    group: 'Servers',
    about: 'Adoptium’s API, for Java.',
    takes: 'an http(s) address',
    schema: url,
    fallback: 'https://api.adoptium.net/v3',
  },
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
  SELLER_ADDRESS: {
    group: 'Tax and invoices',
    about:
      'Street and number of the seller, for invoices. They also say OPERATOR_NAME and OPERATOR_VAT_ID; until all of these are set no document is issued in production, and elsewhere documents are marked as samples.',
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
    about: 'Time zone that decides on the day of a sale and the year of a number.',
    takes: 'a name such as `Europe/Warsaw`',
    schema: z.string().refine((zone) => Intl.supportedValuesOf('timeZone').includes(zone) || zone === 'UTC'),
    fallback: 'Europe/Warsaw',
  },
  INVOICE_PREFIX: {
    group: 'Tax and invoices',
    about: 'Begins the numbers of invoices, as in `INV/2026/000001`.',
    takes: 'letters, digits, `-`',
    schema: z.string().regex(/^[A-Z0-9-]{1,12}$/i),
    fallback: 'INV',
  },
  RECEIPT_PREFIX: {
    group: 'Tax and invoices',
    about: 'Begins the numbers of receipts.',
    takes: 'letters, digits, `-`',
    schema: z.string().regex(/^[A-Z0-9-]{1,12}$/i),
    fallback: 'RCP',
  },
  CREDIT_NOTE_PREFIX: {
    group: 'Tax and invoices',
    about: 'Begins the numbers of credit notes.',
    takes: 'letters, digits, `-`',
    schema: z.string().regex(/^[A-Z0-9-]{1,12}$/i),
    fallback: 'CRN',
  },
  VAT_HOME_CURRENCY: {
    group: 'Tax and invoices',
    about:
      'Currency in which VAT is stated besides that of the sale, by the mid rate of Narodowy Bank Polski of the business day before it; `none`: only in that of the sale.',
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
    about: 'Where the code on a printed invoice leads, to see whether KSeF has it.',
    takes: 'an http(s) address',
    schema: url,
    fallback: 'https://qr.ksef.mf.gov.pl',
  },
  LIMIT_PRINTS: {
    group: 'Limits',
    about: 'PDF and XML files of invoices that one account, or one address, makes in an hour.',
    takes: 'a number, 0 for no limit',
    schema: count,
    fallback: '120',
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
  PAYU_CURRENCIES: {
    group: 'PayU',
    about: 'Currencies the point of sale settles.',
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
      'Which PayPal is meant: `live` is https://api-m.paypal.com, `sandbox` is https://api-m.sandbox.paypal.com, where no real money is moved. Each has credentials and a webhook of its own.',
    takes: '`live` or `sandbox`',
    schema: z.enum(['live', 'sandbox']),
    fallback: 'live',
  },
  PAYPAL_CLIENT_ID: {
    group: 'PayPal',
    about:
      'Client id of your REST application. Unset, or without its secret and its webhook: PayPal is off; the demo uses its simulator.',
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
      'Id of the webhook that your application sends to `PUBLIC_URL/api/v1/payments/paypal/notify`, with the events of orders, captures and disputes.',
    takes: 'text',
    schema: text.optional(),
  },
  PAYPAL_VERIFICATION: {
    group: 'PayPal',
    about:
      'Who checks the signature of a webhook: `offline` we ourselves, by PayPal’s certificate; `online` PayPal, which is asked each time.',
    takes: '`offline` or `online`',
    schema: z.enum(['offline', 'online']),
    fallback: 'offline',
  },
  PAYPAL_CURRENCIES: {
    group: 'PayPal',
    about: 'Currencies your PayPal account takes.',
    takes: 'codes, comma-separated',
    schema: currencies,
    fallback: 'EUR,USD,PLN',
  },
  PAYPAL_URL: {
    group: 'PayPal',
    about:
      'PayPal’s REST API, where it is neither of the two of PAYPAL_ENVIRONMENT. Outside production, certificates of webhooks may come from there too.',
    takes: 'an http(s) address',
    schema: url.optional(),
  },
  PAYPAL_SANDBOX_PORT: {
    group: 'PayPal',
    about:
      'Port of the demo’s stand-in for PayPal, which takes no real money. Unset: HTTP_PORT + 202. Refused in production.',
    takes: 'a port, 0–65535',
    schema: port.optional(),
  },
  PAYNOW_ENVIRONMENT: {
    group: 'PayNow',
    about: 'Which of PayNow’s environments the keys are of; payments in the sandbox move no money.',
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
    about: 'API key of another shop, which takes euros.',
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
    about: 'API key of another shop, which takes dollars.',
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
    about: 'Currencies that the shops take; other than PLN by card only, and on request to PayNow. BLIK is PLN.',
    takes: 'codes, comma-separated',
    schema: currencies,
    fallback: 'PLN',
  },
  PAYNOW_BLIK_CODES: {
    group: 'PayNow',
    about: 'Whether BLIK codes are typed on our page, which PayNow allows on request; without, on PayNow’s page.',
    takes: '`0` or `1`',
    schema: flag,
    fallback: '0',
  },
  PAYNOW_SANDBOX_PORT: {
    group: 'PayNow',
    about:
      'Port of the demo’s stand-in for PayNow, which takes no real money. Unset: HTTP_PORT + 203. Refused in production.',
    takes: 'a port, 0–65535',
    schema: port.optional(),
  },
  DISCORD_CLIENT_ID: {
    group: 'Discord',
    about:
      'OAuth2 client id of your Discord application, with `PUBLIC_URL/login/discord` among its redirects. Unset: nobody is offered Discord; the demo uses its simulator.',
    takes: 'text',
    schema: text.optional(),
  },
  DISCORD_CLIENT_SECRET: {
    secret: true,
    group: 'Discord',
    about: 'OAuth2 client secret.',
    takes: 'text',
    schema: text.optional(),
  },
  DISCORD_URL: {
    group: 'Discord',
    about: 'Where Discord asks people whether they agree.',
    takes: 'an http(s) address',
    schema: url,
    fallback: 'https://discord.com/oauth2/authorize',
  },
  DISCORD_API_URL: {
    group: 'Discord',
    about: 'Discord’s API.',
    takes: 'an http(s) address',
    schema: url,
    fallback: 'https://discord.com/api/v10',
  },
  DISCORD_SANDBOX_PORT: {
    group: 'Discord',
    about: 'Port of the demo’s stand-in for Discord. Unset: HTTP_PORT + 201. Refused in production.',
    takes: 'a port, 0–65535',
    schema: port.optional(),
  },
} as const satisfies Record<string, Setting>

type Table = typeof settingsTable
export type Settings = { [Name in keyof Table]: z.infer<Table[Name]['schema']> }

/** A value that a variable does not take. Its message names the variable and what it takes. */
export class SettingsError extends Error {}

/**
 * Reads and checks all settings.
 * @throws SettingsError with one line per bad variable.
 */
export function readSettings(env: Record<string, string | undefined>): Settings {
  const settings: Record<string, unknown> = {}
  const faults: string[] = []
  for (const [name, setting] of Object.entries(settingsTable) as [string, Setting][]) {
    const given = env[name] === '' ? undefined : env[name]
    const result = setting.schema.safeParse(given ?? setting.fallback)
    if (result.success) settings[name] = result.data
    else {
      const shown = given === undefined || setting.secret ? '' : `, not ${JSON.stringify(given)}`
      faults.push(`${name} takes ${setting.takes}${shown}`)
    }
  }
  if (settings['NODE_ENV'] === 'production') {
    if (settings['DEMO'] === true) faults.push('DEMO takes 0 with NODE_ENV=production: no demo accounts there')
    if (settings['SANDBOX_PORT'] !== undefined)
      faults.push('SANDBOX_PORT must be unset with NODE_ENV=production: no simulated payments there')
    if (settings['PAYPAL_SANDBOX_PORT'] !== undefined)
      faults.push('PAYPAL_SANDBOX_PORT must be unset with NODE_ENV=production: no simulated payments there')
    if (settings['PAYNOW_SANDBOX_PORT'] !== undefined)
      faults.push('PAYNOW_SANDBOX_PORT must be unset with NODE_ENV=production: no simulated payments there')
    if (settings['DISCORD_SANDBOX_PORT'] !== undefined)
      faults.push('DISCORD_SANDBOX_PORT must be unset with NODE_ENV=production: nobody signs in by a simulator there')
    if (settings['ALLOW_PRIVATE_TARGETS'] === true)
      faults.push('ALLOW_PRIVATE_TARGETS takes 0 with NODE_ENV=production: customers name what is called')
  }
  const dkim = ['MAIL_DKIM_DOMAIN', 'MAIL_DKIM_SELECTOR', 'MAIL_DKIM_KEY_FILE']
  const missing = dkim.filter((name) => settings[name] === undefined)
  if (missing.length > 0 && missing.length < dkim.length)
    faults.push(`${missing.join(', ')} must be set too: DKIM takes all of ${dkim.join(', ')}`)
  if (faults.length > 0) throw new SettingsError(faults.join('\n'))
  return settings as Settings
}

/** The address customers use, without a trailing slash. */
export function publicUrl(settings: Settings): string {
  return (settings.PUBLIC_URL ?? `http://localhost:${settings.HTTP_PORT}`).replace(/\/$/, '')
}

/** Whether people are offered Discord. */
export function hasDiscord(settings: Settings): boolean {
  return Boolean(settings.DISCORD_CLIENT_ID && settings.DISCORD_CLIENT_SECRET)
}

/** Host names of the main site. */
export function mainHosts(settings: Settings): readonly string[] {
  return settings.MAIN_HOSTS ?? [new URL(publicUrl(settings)).hostname]
}

/** For entry points: a bad value is named on standard error and the process ends with status 2. */
export function readSettingsOrExit(env: Record<string, string | undefined>): Settings {
  try {
    return readSettings(env)
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    console.error(error.message)
    process.exit(2)
  }
}
