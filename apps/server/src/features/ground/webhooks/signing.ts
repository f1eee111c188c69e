/** Signatures as Standard Webhooks has them: HMAC-SHA-256 of id, time and body. */
import { createHmac } from 'node:crypto'
import { deriveKey } from '@wakestone/kit/secrets'
import type { Context } from '#src/context.ts'

type Keys = Pick<Context['secrets'], 'supervisor'>
type Signed = { id: string; webhookId: string; body: string; at: Date }
type Secrets = { secret_number: number; secret_before_until: Date | null }

/** Nobody can work another one's out of it. */
const keyOf = ({ supervisor }: Keys, webhookId: string, number: number): Buffer =>
  createHmac('sha256', deriveKey(supervisor.privateKey, 'event webhooks')).update(`${webhookId} ${number}`).digest()

/** As its owner gives it to whatever receives the messages. */
export const secretOf = (keys: Keys, webhookId: string, number: number): string =>
  `whsec_${keyOf(keys, webhookId, number).toString('base64')}`

/** By the secret of today, and by the one before for as long as that is good. */
export function signedHeaders(
  keys: Keys,
  { id, webhookId, body, at }: Signed,
  { secret_number: number, secret_before_until: until }: Secrets,
): Record<string, string> {
  const seconds = String(Math.floor(at.getTime() / 1000))
  const numbers = until !== null && until > at ? [number, number - 1] : [number]
  const sign = (key: Buffer) => `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`
  return {
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': numbers.map((one) => sign(keyOf(keys, webhookId, one))).join(' '),
  }
}
