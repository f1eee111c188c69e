/**
 * A stand-in for Discord's OAuth2: consent page, tokens for codes with PKCE, and `/users/@me`. It is as strict as the
 * real one (redirect address, client, scopes, single-use codes), and can be told to misbehave.
 */
import { createHash, randomBytes } from 'node:crypto'
import formBody from 'node:querystring'
import Fastify, { type FastifyReply } from 'fastify'
import { type DiscordAccount, ownAccount, sampleAccounts } from './discord/accounts.ts'
import { type ConsentRequest, renderConsentPage, renderRefusalPage } from './discord/page.ts'

export type { DiscordAccount }

export type DiscordSimulatorOptions = {
  /** 0: any free one. */
  port?: number
  host?: string
  clientId: string
  clientSecret: string
  /** Addresses that the application has registered, letter by letter. */
  redirectUris: readonly string[]
}

export type DiscordFaults = {
  /** Sends the browser back with another state than it brought. */
  wrongState?: boolean
  /** Sends the browser back with no state, or no code. */
  leaveOut?: 'state' | 'code'
  /** 500 on these calls. */
  serverError?: 'token' | 'user'
  /** The connection is cut on these calls. */
  cut?: 'token' | 'user'
  /** Grants this instead of what was asked for. */
  scope?: string
  /** Says no page, but an answer that makes no sense. */
  nonsense?: boolean
}

export type DiscordSimulator = {
  url: string
  authorizeUrl: string
  apiUrl: string
  /** What a person does at the consent page. @returns where the browser is sent. */
  decide(authorizeUrl: string, account: DiscordAccount | 'deny'): string
  setFaults(faults: DiscordFaults): void
  close(): Promise<void>
}

type Grant = ConsentRequest & { account: DiscordAccount; expires: number }
const codeMilliseconds = 60_000

export async function startDiscordSimulator(options: DiscordSimulatorOptions): Promise<DiscordSimulator> {
  const { clientId, clientSecret, redirectUris } = options
  const codes = new Map<string, Grant>()
  const tokens = new Map<string, DiscordAccount>()
  let faults: DiscordFaults = {}
  const app = Fastify({ forceCloseConnections: true })
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, formBody.parse(body as string)),
  )

  /** @returns what is wrong with a request, as the real page would say it. */
  function faultOf(query: Partial<ConsentRequest>): string | undefined {
    if (query.client_id !== clientId) return 'Unknown Application'
    if (query.redirect_uri === undefined || !redirectUris.includes(query.redirect_uri))
      return 'Invalid OAuth2 redirect_uri'
    if (query.response_type !== 'code') return 'Unsupported response_type'
    if (query.scope === undefined || query.scope === '') return 'No scope was given'
    if (query.code_challenge !== undefined && query.code_challenge_method !== 'S256')
      return 'Unsupported code_challenge_method'
    return undefined
  }

  function answer(request: ConsentRequest, account: DiscordAccount | 'deny'): string {
    const back = new URL(request.redirect_uri)
    if (account === 'deny') {
      back.searchParams.set('error', 'access_denied')
      back.searchParams.set('error_description', 'The resource owner or authorization server denied the request')
    } else if (faults.leaveOut !== 'code') {
      const code = randomBytes(15).toString('base64url')
      codes.set(code, { ...request, account, expires: Date.now() + codeMilliseconds })
      back.searchParams.set('code', code)
    }
    const state = faults.wrongState === true ? randomBytes(12).toString('base64url') : request.state
    if (state !== undefined && faults.leaveOut !== 'state') back.searchParams.set('state', state)
    return back.href
  }

  const page = (reply: FastifyReply, status: number, html: string) =>
    reply
      .status(status)
      .headers({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
      })
      .send(html)

  app.get('/oauth2/authorize', async (request, reply) => {
    const query = request.query as ConsentRequest
    const fault = faultOf(query)
    return fault === undefined
      ? page(reply, 200, renderConsentPage(query, sampleAccounts))
      : page(reply, 400, renderRefusalPage(fault))
  })
  app.post('/oauth2/authorize', async (request, reply) => {
    const form = request.body as ConsentRequest & { account?: string; email?: string; action?: string }
    const fault = faultOf(form)
    if (fault !== undefined) return page(reply, 400, renderRefusalPage(fault))
    const chosen = sampleAccounts.find(({ id }) => id === form.account) ?? ownAccount(form.email ?? '')
    if (form.action !== 'deny' && chosen === undefined) return page(reply, 400, renderConsentPage(form, sampleAccounts))
    return reply.redirect(answer(form, form.action === 'deny' || chosen === undefined ? 'deny' : chosen), 303)
  })

  app.post('/api/v10/oauth2/token', async (request, reply) => {
    if (faults.cut === 'token') return request.raw.socket.destroy()
    if (faults.serverError === 'token')
      return reply.status(500).send({ message: '500: Internal Server Error', code: 0 })
    if (faults.nonsense === true) return reply.status(200).send('<html>Just a moment</html>')
    if (!request.headers['content-type']?.startsWith('application/x-www-form-urlencoded'))
      return reply.status(400).send({ error: 'invalid_request' })
    const form = request.body as Record<string, string>
    const basic = /^Basic (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
    const [id, secret] =
      basic === ''
        ? [form['client_id'], form['client_secret']]
        : Buffer.from(basic, 'base64').toString('utf8').split(':')
    if (id !== clientId || secret !== clientSecret) return reply.status(401).send({ error: 'invalid_client' })
    if (form['grant_type'] !== 'authorization_code') return reply.status(400).send({ error: 'unsupported_grant_type' })
    const grant = codes.get(form['code'] ?? '')
    codes.delete(form['code'] ?? '')
    const isProven =
      grant?.code_challenge === undefined ||
      createHash('sha256')
        .update(form['code_verifier'] ?? '')
        .digest('base64url') === grant.code_challenge
    if (grant === undefined || grant.expires < Date.now() || grant.redirect_uri !== form['redirect_uri'] || !isProven)
      return reply.status(400).send({ error: 'invalid_grant', error_description: 'Invalid "code" in request.' })
    const access_token = randomBytes(20).toString('base64url')
    tokens.set(access_token, grant.account)
    return {
      token_type: 'Bearer',
      access_token,
      expires_in: 604_800,
      refresh_token: randomBytes(20).toString('base64url'),
      scope: faults.scope ?? grant.scope,
    }
  })

  app.get('/api/v10/users/@me', async (request, reply) => {
    if (faults.cut === 'user') return request.raw.socket.destroy()
    if (faults.serverError === 'user') return reply.status(500).send({ message: '500: Internal Server Error', code: 0 })
    const account = tokens.get(/^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '')
    if (account === undefined) return reply.status(401).send({ message: '401: Unauthorized', code: 0 })
    return { discriminator: '0', public_flags: 0, flags: 0, mfa_enabled: false, locale: 'en-GB', ...account }
  })

  await app.listen({ port: options.port ?? 0, host: options.host ?? '127.0.0.1' })
  const url = `http://127.0.0.1:${(app.server.address() as { port: number }).port}`
  return {
    url,
    authorizeUrl: `${url}/oauth2/authorize`,
    apiUrl: `${url}/api/v10`,
    decide(authorizeUrl, account) {
      const request = Object.fromEntries(new URL(authorizeUrl).searchParams) as ConsentRequest
      const fault = faultOf(request)
      if (fault !== undefined) throw new Error(fault)
      return answer(request, account)
    },
    setFaults: (wanted) => void (faults = wanted),
    close: () => app.close(),
  }
}
