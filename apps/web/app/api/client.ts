/**
 * The browser's way to the API: credentials go along, an ended session is renewed once, for all calls that wait, and so
 * is a proof that dangerous calls want. What was refused for that is sent once more.
 */
import { createApiClient, type Transport } from '@wakestone/contract/client'

let renewal: Promise<boolean> | undefined

/**
 * Renews the session with the refresh cookie. Calls made meanwhile share one attempt. False = sign in again. Rejects with
 * a TypeError, as `fetch` does, when there is no answer: a lost connection does not end a session.
 */
export function renewSession(): Promise<boolean> {
  renewal ??= fetch('/api/v1/users/refresh', { credentials: 'same-origin', headers: { accept: 'application/json' } })
    .then(({ ok, status }) => {
      if (status >= 500 || status === 429) throw new TypeError(`the session cannot be renewed now: ${status}`)
      return ok
    })
    .finally(() => {
      renewal = undefined
    })
  return renewal
}

let askForProof: (() => Promise<boolean>) | undefined
let proof: Promise<boolean> | undefined

/** Sets who asks the visitor for a proof; resolves with whether they gave it. @returns an undo. */
export function askForProofBy(ask: () => Promise<boolean>): () => void {
  askForProof = ask
  return () => {
    askForProof = undefined
  }
}

/** Calls that are refused meanwhile share one dialog. */
function prove(): Promise<boolean> {
  proof ??= (askForProof?.() ?? Promise.resolve(false)).finally(() => {
    proof = undefined
  })
  return proof
}

async function wantsProof(response: Response): Promise<boolean> {
  if (response.status !== 403) return false
  const body = (await response
    .clone()
    .json()
    .catch(() => undefined)) as { error?: string } | undefined
  return body?.error === 'step_up_required'
}

// Their 401 is about what was sent with them, not about the session.
const speakForThemselves = /^\/api\/v1\/users\/(?:login|refresh|logout)/

/** Sends to the API, for bytes and lists that are no JSON; the same renewals. The answer may be a refusal. */
export async function sendToApi(path: string, init: RequestInit): Promise<Response> {
  const send = () => fetch(path, { ...init, credentials: 'same-origin' })
  let response = await send()
  if (response.status === 401 && !speakForThemselves.test(path) && (await renewSession())) response = await send()
  if ((await wantsProof(response)) && (await prove())) response = await send()
  return response
}

const transport: Transport = sendToApi

/** Calls any route of the contract from the browser. On the server, loaders use the client of their context. */
export const api = createApiClient(transport)
