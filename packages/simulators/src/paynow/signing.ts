/** PayNow's signatures, from the side that checks calls and signs notifications. */
import { createHmac, timingSafeEqual } from 'node:crypto'

export const signNotification = (body: string, signatureKey: string) =>
  createHmac('sha256', signatureKey).update(body).digest('base64')

/** Whether a call of API v3 is signed: over its two headers, its query, sorted, and its body's text. */
export function isSignedCall(
  call: { apiKey: string; idempotencyKey: string; query: URLSearchParams; body: string; signature: string },
  signatureKey: string,
): boolean {
  const names = [...new Set(call.query.keys())].toSorted()
  const parameters = Object.fromEntries(names.map((name) => [name, call.query.getAll(name)]))
  const signed = `{"headers":${JSON.stringify({ 'Api-Key': call.apiKey, 'Idempotency-Key': call.idempotencyKey })},"parameters":${JSON.stringify(parameters)},"body":${JSON.stringify(call.body)}}`
  const wanted = createHmac('sha256', signatureKey).update(signed).digest()
  const given = Buffer.from(call.signature, 'base64')
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}
