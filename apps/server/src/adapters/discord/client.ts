/**
 * Discord's OAuth2: the authorization code grant with PKCE, and who it was. Its tokens are thrown away at once.
 * Source: https://docs.discord.com/developers/topics/oauth2
 */
import { createHash } from 'node:crypto'
import { publicUrl, type Settings } from '@wakestone/kit/settings'
import { type DiscordProfile, profileSchema, refusalSchema, tokenSchema } from './schemas.ts'

const scope = 'identify email'

/** Discord could not be asked, or gave no answer that makes sense. */
export class DiscordUnavailable extends Error {}
/** Discord does not take the code: it is forged, used, late, or somebody else's. */
export class DiscordRefused extends Error {}

export type Discord = {
  /** Where to send a browser. `asksAgain`: also those whom Discord knows to have agreed before. */
  authorizeUrl(way: { state: string; verifier: string; asksAgain: boolean }): string
  /** @throws DiscordRefused, DiscordUnavailable */
  identify(way: { code: string; verifier: string }): Promise<DiscordProfile>
}

/** Undefined where Discord is not set up. */
export function createDiscord(settings: Settings, { timeout = 10_000 } = {}): Discord | undefined {
  const { DISCORD_URL, DISCORD_API_URL, DISCORD_CLIENT_ID, DISCORD_CLIENT_SECRET } = settings
  if (!DISCORD_CLIENT_ID || !DISCORD_CLIENT_SECRET) return undefined
  const [clientId, clientSecret] = [DISCORD_CLIENT_ID, DISCORD_CLIENT_SECRET]
  const api = DISCORD_API_URL.replace(/\/$/, '')
  // One address for every language: Discord compares it letter by letter with those of the application.
  const redirectUri = `${publicUrl(settings)}/login/discord`

  async function send(path: string, init: RequestInit): Promise<{ status: number; body: unknown }> {
    try {
      const signal = AbortSignal.timeout(timeout)
      const response = await fetch(`${api}${path}`, { ...init, redirect: 'error', signal })
      return { status: response.status, body: JSON.parse(await response.text()) }
    } catch (error) {
      throw new DiscordUnavailable(`Discord did not answer ${path}`, { cause: error })
    }
  }

  async function exchange({ code, verifier }: { code: string; verifier: string }): Promise<string> {
    const { status, body } = await send('/oauth2/token', {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` },
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code,
        redirect_uri: redirectUri,
        code_verifier: verifier,
      }),
    })
    if (status === 400 && refusalSchema.safeParse(body).data?.error === 'invalid_grant')
      throw new DiscordRefused('Discord does not know this code')
    const token = tokenSchema.safeParse(body)
    if (status !== 200 || !token.success)
      throw new DiscordUnavailable(`Discord answered ${status} instead of with a token`)
    const granted = token.data.scope.split(' ')
    if (!scope.split(' ').every((wanted) => granted.includes(wanted)))
      throw new DiscordUnavailable('Discord granted less than was asked for')
    return token.data.access_token
  }

  return {
    authorizeUrl({ state, verifier, asksAgain }) {
      const url = new URL(DISCORD_URL)
      url.search = new URLSearchParams({
        response_type: 'code',
        client_id: clientId,
        scope,
        state,
        redirect_uri: redirectUri,
        prompt: asksAgain ? 'consent' : 'none',
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
      }).toString()
      return url.href
    },
    async identify(way) {
      const token = await exchange(way)
      const { status, body } = await send('/users/@me', { headers: { authorization: `Bearer ${token}` } })
      const profile = profileSchema.safeParse(body)
      if (status !== 200 || !profile.success)
        throw new DiscordUnavailable(`Discord answered ${status} instead of saying who it was`)
      return profile.data
    },
  }
}
