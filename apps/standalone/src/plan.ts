/** What a start is going to run, decided from the settings before anything is started. */
import { publicUrl, type Settings } from '@wakestone/kit/settings'
import type { Ports } from './ports.ts'

/** Whether the demo's payment provider runs: outside production, unless the operator's own PayU is set. */
export const wantsSandboxProvider = (settings: Settings) =>
  settings.NODE_ENV !== 'production' && settings.PAYU_URL === undefined

/** Whether the demo's stand-in for PayPal runs: outside production, unless the operator's own application is set. */
export const wantsSandboxPaypal = (settings: Settings) =>
  settings.NODE_ENV !== 'production' && settings.PAYPAL_CLIENT_ID === undefined

/** Whether the demo's stand-in for PayNow runs: outside production, unless the operator's own shop is set. */
export const wantsSandboxPaynow = (settings: Settings) =>
  settings.NODE_ENV !== 'production' && settings.PAYNOW_API_KEY === undefined && settings.PAYNOW_URL === undefined

/** Whether the demo's stand-in for Discord runs: outside production, unless the operator's own application is set. */
export const wantsSandboxDiscord = (settings: Settings) =>
  settings.NODE_ENV !== 'production' && settings.DISCORD_CLIENT_ID === undefined

/** Whether to create the demo's server: wherever there is a demo customer, unless the operator has turned it off. */
export const wantsDemoServer = (settings: Settings) =>
  settings.NODE_ENV !== 'production' && (settings.DEMO ?? true) && (settings.DEMO_SERVER ?? true)

/** Where customers find what stands in for others: on the host of the site, whatever that is. */
export function sandboxUrl(settings: Settings, port: number): string {
  const { protocol, hostname } = new URL(publicUrl(settings))
  return `${protocol}//${hostname}:${port}`
}

/** Environment of the parts: what we were given, and what was decided here. */
export function partEnvironment({
  settings,
  ports,
  databaseUrl,
  sandboxes,
}: {
  settings: Settings
  ports: Ports
  databaseUrl: string
  /** What points the product at them. */
  sandboxes: Record<string, string>
}): Record<string, string> {
  const given = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return {
    NODE_COMPILE_CACHE: `${settings.DATA_DIR}/cache/compile`,
    ...Object.fromEntries(given),
    DATABASE_URL: databaseUrl,
    DATA_DIR: settings.DATA_DIR,
    HTTP_PORT: String(ports.http),
    GAME_PORT: String(ports.game),
    SFTP_PORT: String(ports.sftp),
    METRICS_PORT: String(ports.metrics),
    ...sandboxes,
  }
}
