/** The demo's payment providers: PayU's and PayNow's simulators, and the settings that point the product at them. */
import { createHmac } from 'node:crypto'
import type { Secrets } from '@wakestone/kit/secrets'

const posId = '300746'

/** @returns how to stop it, and the environment by which the product finds it. */
export async function startSandboxProvider({
  secrets,
  ...place
}: {
  host: string
  port: number
  /** Where payers reach it. */
  publicUrl: string
  /** Where its orders are kept over a restart. */
  stateFile: string
  secrets: Secrets
}): Promise<{ env: Record<string, string>; stop(): Promise<void> }> {
  // Loaded only here: production never does.
  const { startPayuSimulator } = await import('@wakestone/simulators/payu')
  const credentials = { posId, clientId: posId, ...secrets.payuSimulator }
  const simulator = await startPayuSimulator({ ...place, ...credentials })
  const env = {
    PAYU_URL: simulator.url,
    PAYU_POS_ID: credentials.posId,
    PAYU_CLIENT_ID: credentials.clientId,
    PAYU_CLIENT_SECRET: credentials.clientSecret,
    PAYU_SECOND_KEY: credentials.secondKey,
  }
  return { env, stop: () => simulator.close() }
}

/** PayNow's, with BLIK codes typed on our page; `/bank` there is the payer's bank. */
export async function startSandboxPaynow({
  secrets,
  ...place
}: {
  host: string
  port: number
  /** Where payers reach it. */
  publicUrl: string
  /** Where its payments are kept over a restart. */
  stateFile: string
  /** Where it tells of payments. */
  notificationUrl: string
  secrets: Secrets
}): Promise<{ env: Record<string, string>; stop(): Promise<void> }> {
  const { startPaynowSimulator } = await import('@wakestone/simulators/paynow')
  const key = (purpose: string) => createHmac('sha256', secrets.payuSimulator.secondKey).update(purpose).digest('hex')
  const shop = { apiKey: key('paynow api'), signatureKey: key('paynow signature'), currencies: ['PLN'] }
  const simulator = await startPaynowSimulator({ ...place, shops: [shop] })
  const env = {
    PAYNOW_URL: simulator.url,
    PAYNOW_API_KEY: shop.apiKey,
    PAYNOW_SIGNATURE_KEY: shop.signatureKey,
    PAYNOW_BLIK_CODES: '1',
  }
  return { env, stop: () => simulator.close() }
}
