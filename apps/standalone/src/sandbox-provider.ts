/** The demo's payment provider: PayU's simulator, and the settings that point the product at it. */
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
