/** The browser's way to the API: credentials go along, and an ended session is renewed once, for all calls that wait. */
import { createApiClient, type Transport } from '@wakestone/contract/client'

let renewal: Promise<boolean> | undefined

/** Renews the session with the refresh cookie. Calls made meanwhile share one attempt. False = sign in again. */
export function renewSession(): Promise<boolean> {
  renewal ??= fetch('/api/v1/users/refresh', { credentials: 'same-origin', headers: { accept: 'application/json' } })
    .then((response) => response.ok)
    .catch(() => false)
    .finally(() => {
      renewal = undefined
    })
  return renewal
}

// Their 401 is about what was sent with them, not about the session.
const speakForThemselves = /^\/api\/v1\/users\/(?:login|refresh|logout)/

const transport: Transport = async (path, init) => {
  const send = () => fetch(path, { ...init, credentials: 'same-origin' })
  const response = await send()
  if (response.status !== 401 || speakForThemselves.test(path)) return response
  return (await renewSession()) ? send() : response
}

/** Calls any route of the contract from the browser. On the server, loaders use the client of their context. */
export const api = createApiClient(transport)
