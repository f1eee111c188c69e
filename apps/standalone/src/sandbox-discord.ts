/** The demo's stand-in for Discord, and the settings that point the product at it. */
import { randomBytes } from 'node:crypto'
import { publicUrl as siteUrl, type Settings } from '@wakestone/kit/settings'

const clientId = '180000000000000042'

/** @returns how to stop it, and the environment by which the product finds it. */
export async function startSandboxDiscord({
  settings,
  port,
  publicUrl,
}: {
  settings: Settings
  port: number
  /** Where browsers reach it. */
  publicUrl: string
}): Promise<{ env: Record<string, string>; stop(): Promise<void> }> {
  // Loaded only here: production never does.
  const { startDiscordSimulator } = await import('@wakestone/simulators/discord')
  const clientSecret = randomBytes(24).toString('base64url')
  const redirectUris = [`${siteUrl(settings)}/login/discord`]
  const simulator = await startDiscordSimulator({
    host: settings.HTTP_HOST,
    port,
    clientId,
    clientSecret,
    redirectUris,
  })
  const env = {
    DISCORD_URL: `${publicUrl}/oauth2/authorize`,
    DISCORD_API_URL: simulator.apiUrl,
    DISCORD_CLIENT_ID: clientId,
    DISCORD_CLIENT_SECRET: clientSecret,
  }
  return { env, stop: () => simulator.close() }
}
