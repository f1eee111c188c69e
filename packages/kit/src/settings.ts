/**
 * Every setting an operator may give through the environment: name, meaning, default and check in one table.
 * `docs/settings.md` is made from it, and nothing else in the product reads `process.env`.
 */
import type { z } from 'zod'
import { accounts } from './settings/accounts.ts'
import { backups } from './settings/backups.ts'
import { basics } from './settings/basics.ts'
import { business } from './settings/business.ts'
import { dns } from './settings/dns.ts'
import { freePlay } from './settings/free-play.ts'
import { limits } from './settings/limits.ts'
import { messages } from './settings/messages.ts'
import { packages } from './settings/packages.ts'
import { payments } from './settings/payments.ts'
import { servers } from './settings/servers.ts'
import { taxes } from './settings/taxes.ts'
import { tls } from './settings/tls.ts'
import { tracing } from './settings/tracing.ts'
import { websites } from './settings/websites.ts'
import type { Setting } from './settings/setting.ts'

export const settingsTable = {
  ...basics,
  ...business,
  ...accounts,
  ...messages,
  ...limits,
  ...servers,
  ...packages,
  ...tls,
  ...dns,
  ...backups,
  ...websites,
  ...freePlay,
  ...taxes,
  ...payments,
  ...tracing,
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
  const isHttps = String(settings['PUBLIC_URL'] ?? '').startsWith('https:')
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
    const isBehindProxy = settings['HTTPS_PORT'] === undefined && isHttps
    if (settings['TRUST_PROXY'] === undefined && isBehindProxy)
      faults.push(
        'TRUST_PROXY must name the proxy in front with NODE_ENV=production and a PUBLIC_URL of https, such as 127.0.0.1 ' +
          'for one on this machine: without it all visitors share one address, and one of them who guesses passwords locks all out',
      )
  }
  if (settings['HTTPS_PORT'] !== undefined) {
    if (!isHttps) faults.push('PUBLIC_URL must be an https address: HTTPS_PORT serves it')
    if (settings['ACME_EMAIL'] === undefined) faults.push('ACME_EMAIL must be set too: HTTPS_PORT takes certificates')
  }
  if ((settings['ACME_EAB_KEY_ID'] === undefined) !== (settings['ACME_EAB_HMAC_KEY'] === undefined))
    faults.push('ACME_EAB_KEY_ID and ACME_EAB_HMAC_KEY must be set together')
  const prefixes = ['INVOICE_PREFIX', 'RECEIPT_PREFIX', 'CREDIT_NOTE_PREFIX']
  // Each series counts by itself: two documents would have one number.
  const begun = (name: string) => String(settings[name] ?? name).toUpperCase()
  const alike = prefixes.filter((name) => prefixes.some((other) => other !== name && begun(other) === begun(name)))
  if (alike.length > 0) faults.push(`${alike.join(' and ')} must differ: their numbers would be the same`)
  const dkim = ['MAIL_DKIM_DOMAIN', 'MAIL_DKIM_SELECTOR', 'MAIL_DKIM_KEY_FILE']
  const missing = dkim.filter((name) => settings[name] === undefined)
  if (missing.length > 0 && missing.length < dkim.length)
    faults.push(`${missing.join(', ')} must be set too: DKIM takes all of ${dkim.join(', ')}`)
  const panelHost = URL.parse(String(settings['PUBLIC_URL'] ?? 'http://localhost'))?.hostname ?? 'localhost'
  const sites = String(settings['SITES_DOMAIN'] ?? '')
  // What customers make is never shown where the panel's cookies go.
  if (sites === panelHost || panelHost.endsWith(`.${sites}`))
    faults.push(`SITES_DOMAIN takes a domain apart from the panel's, not ${JSON.stringify(sites)}`)
  if (settings['PDNS_URL'] !== undefined) {
    if (settings['PDNS_API_KEY'] === undefined) faults.push('PDNS_API_KEY must be set too: PDNS_URL takes it')
    const addresses = [settings['DNS_IPV4'], settings['DNS_IPV6']] as (string[] | undefined)[]
    if (addresses.every((list) => list === undefined || list.length === 0))
      faults.push('DNS_IPV4 or DNS_IPV6 must be set too: PDNS_URL takes the addresses that names lead to')
  }
  if (faults.length > 0) throw new SettingsError(faults.join('\n'))
  return settings as Settings
}

/** The address customers use, without a trailing slash. */
export function publicUrl(settings: Settings): string {
  return (settings.PUBLIC_URL ?? `http://localhost:${settings.HTTP_PORT}`).replace(/\/$/, '')
}

/** The host of the website of this name, below the domain of all websites. */
export const websiteHost = ({ SITES_DOMAIN }: Pick<Settings, 'SITES_DOMAIN'>, name: string): string =>
  `${name}.${SITES_DOMAIN}`

/** Where a website is reached by its host: the scheme and the port are those of the panel. */
export function websiteUrl(settings: Settings, host: string): string {
  const { protocol, port } = new URL(publicUrl(settings))
  return `${protocol}//${host}${port === '' ? '' : `:${port}`}`
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
