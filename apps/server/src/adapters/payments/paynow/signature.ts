/**
 * PayNow's signatures: base64(HMAC-SHA256(signature key, …)). Calls of API v3 sign an envelope of headers, query and
 * body; notifications sign their bytes as they are.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'

export type SignedCall = {
  apiKey: string
  idempotencyKey: string
  /** Query of the call. */
  parameters?: Readonly<Record<string, string>>
  /** The body's text, to the letter. */
  body?: string
}

export function signCall(
  { apiKey, idempotencyKey, parameters = {}, body = '' }: SignedCall,
  signatureKey: string,
): string {
  const sorted = Object.entries(parameters).toSorted(([left], [right]) => (left < right ? -1 : 1))
  const envelope = JSON.stringify({
    headers: { 'Api-Key': apiKey, 'Idempotency-Key': idempotencyKey },
    parameters: Object.fromEntries(sorted.map(([name, value]) => [name, [value]])),
    body,
  })
  return createHmac('sha256', signatureKey).update(envelope).digest('base64')
}

/** Whether the header signs exactly these bytes. */
export function isSignedByPaynow(raw: Buffer, signature: string | undefined, signatureKey: string): boolean {
  const wanted = createHmac('sha256', signatureKey).update(raw).digest()
  const given = Buffer.from(signature ?? '', 'base64')
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}

/** JSON in ASCII: PayNow's own libraries sign `\u` forms, and so both sides sign the same text. */
export function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
