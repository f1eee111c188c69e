/** Asks the control plane to wake a server. */
import { gatewayWake } from '@wakestone/contract/transport'

export type WakeAnswer = { expectedSeconds: number | null } | { error: string }
export type WakeCall = (wake: { serverId: string; name: string | null; address: string }) => Promise<WakeAnswer>

const TIMEOUT_MS = 10_000

/** The call answers with a code of the catalogue when the wake is refused, and throws when nobody answers. */
export function createWakeCall({ apiUrl, token }: { apiUrl: string; token: string }): WakeCall {
  const url = `${apiUrl.replace(/\/$/, '')}${gatewayWake.path}`
  return async (wake) => {
    const response = await fetch(url, {
      method: gatewayWake.method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(wake),
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const answer: unknown = await response.json().catch(() => undefined)
    if (response.ok) return gatewayWake.answer.parse(answer)
    const { error } = (answer ?? {}) as { error?: unknown }
    return { error: typeof error === 'string' ? error : `status ${response.status}` }
  }
}
