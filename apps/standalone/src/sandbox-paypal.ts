/** The demo's stand-in for PayPal, and the settings that point the product at it. */
import { randomBytes } from 'node:crypto'
import { publicUrl as siteUrl, type Settings } from '@wakestone/kit/settings'

/** @returns how to stop it, and the environment by which the product finds it. */
export async function startSandboxPaypal({
  settings,
  ...place
}: {
  settings: Settings
  port: number
  /** Where payers reach it. */
  publicUrl: string
  /** Where its orders are kept over a restart. */
  stateFile: string
}): Promise<{ env: Record<string, string>; stop(): Promise<void> }> {
  // Loaded only here: production never does.
  const { startPaypalSimulator } = await import('@wakestone/simulators/paypal')
  const credentials = {
    clientId: 'sandbox',
    clientSecret: randomBytes(24).toString('base64url'),
    webhookId: 'SANDBOXWEBHOOK',
  }
  const webhookUrl = `${siteUrl(settings)}/api/v1/payments/paypal/notify`
  const simulator = await startPaypalSimulator({ ...place, ...credentials, webhookUrl, host: settings.HTTP_HOST })
  const env = {
    PAYPAL_URL: simulator.url,
    PAYPAL_CLIENT_ID: credentials.clientId,
    PAYPAL_CLIENT_SECRET: credentials.clientSecret,
    PAYPAL_WEBHOOK_ID: credentials.webhookId,
  }
  return { env, stop: () => simulator.close() }
}
