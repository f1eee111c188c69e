/** Whether somebody of ours answers at an address: what passes ports on takes connections for those that do not. */
import { get } from 'node:http'

const PATIENCE_MS = 2_000

export const urlOf = (address: string, port: number) =>
  `http://${address.includes(':') ? `[${address}]` : address}:${port}`

/** Whoever asks without a token is refused, by somebody who is there. */
export function answersHttp(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const sent = get(new URL('/v1/status', url), { agent: false, timeout: PATIENCE_MS }, (response) => {
      response.resume()
      resolve(response.statusCode === 401)
    })
    sent.on('timeout', () => sent.destroy())
    sent.on('error', () => resolve(false))
    sent.on('close', () => resolve(false))
  })
}
