/** Calls to PayU REST 2.1, with the token that they need. */
import { GatewayUnavailable } from '../gateway.ts'
import { type Answer, ask, read } from '../http.ts'
import type { PayuAccount } from './accounts.ts'
import { tokenSchema } from './schemas.ts'

const name = 'PayU'

export type PayuClient = {
  posId: string
  secondKey: string
  /** `path` below `/api/v2_1`. @throws GatewayUnavailable */
  call(method: string, path: string, body?: object): Promise<Answer>
}

/** @param url address of PayU. */
export function createPayuClient(url: string, account: PayuAccount, { timeout = 10_000 } = {}): PayuClient {
  const { posId, clientId, clientSecret, secondKey } = account
  const base = url.replace(/\/$/, '')
  let token: { value: string; expires: number } | undefined

  async function authorize(): Promise<string> {
    if (token !== undefined && token.expires > Date.now()) return token.value
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
    })
    const address = `${base}/pl/standard/user/oauth/authorize`
    const { status, body } = await ask(name, address, { method: 'POST', body: form }, { timeout })
    if (status !== 200) throw new GatewayUnavailable(`PayU refused our credentials (${status})`)
    const { access_token, expires_in } = read(name, tokenSchema, body)
    token = { value: access_token, expires: Date.now() + (expires_in - 60) * 1000 }
    return access_token
  }

  return {
    posId,
    secondKey,
    async call(method, path, body) {
      const send = async () => {
        const headers = { authorization: `Bearer ${await authorize()}`, 'content-type': 'application/json' }
        const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
        return ask(name, `${base}/api/v2_1${path}`, init, { timeout })
      }
      const answer = await send()
      if (answer.status !== 401) return answer
      token = undefined // withdrawn before its time
      return send()
    },
  }
}
