/**
 * How a further machine joins. An administrator has a token made; the agent sends its certificate with a proof that it has
 * the token's secret, and gets the control plane's key, of which the token names the fingerprint, with a signature over what
 * it has sent. The secret itself is never sent, so nobody in between can put a key of theirs in, TLS or not.
 */
import { createHash, createHmac, createPublicKey, timingSafeEqual, verify } from 'node:crypto'
import { z } from 'zod'

const PREFIX = 'wsj_'
const tokenSchema = z.object({
  /** Of the API, with its path. */
  url: z.url({ protocol: /^https?$/ }).max(500),
  id: z.uuid(),
  secret: z.string().regex(/^[\w-]{43}$/),
  /** Of the key that signs for agents. */
  key: z.string().regex(/^[0-9a-f]{64}$/),
})
export type JoinToken = z.infer<typeof tokenSchema>

export const writeJoinToken = (token: JoinToken): string =>
  PREFIX + Buffer.from(JSON.stringify(token)).toString('base64url')

/** @throws Error for what is no token */
export function readJoinToken(text: string): JoinToken {
  if (text.startsWith(PREFIX)) {
    try {
      return tokenSchema.parse(JSON.parse(Buffer.from(text.slice(PREFIX.length), 'base64url').toString()))
    } catch {
      // Told below.
    }
  }
  throw new Error('this is no token of a machine: copy the whole command once more')
}

/** What an agent says of itself. `host` null: whence it comes. */
export type Introduction = { name: string; host: string | null; port: number; certificate: string }

export const proofOf = (secret: string, { name, host, port, certificate }: Introduction): string =>
  createHmac('sha256', secret)
    .update(JSON.stringify([name, host, port, certificate]))
    .digest('hex')

export function isProof(secret: string, introduction: Introduction, proof: string): boolean {
  const [expected, given] = [proofOf(secret, introduction), proof].map((text) => Buffer.from(text)) as [Buffer, Buffer]
  return expected.length === given.length && timingSafeEqual(expected, given)
}

/** @param publicKey SPKI PEM */
export const fingerprintOfKey = (publicKey: string): string =>
  createHash('sha256')
    .update(createPublicKey(publicKey).export({ type: 'spki', format: 'der' }))
    .digest('hex')

/** What the control plane signs when it takes an agent in. */
export const admissionOf = (agentId: string, certificate: string): Buffer =>
  Buffer.from(`agent ${agentId} ${createHash('sha256').update(certificate).digest('hex')}`)

/** @throws Error unless it comes from whom the token names */
export function checkAdmission(
  { key }: JoinToken,
  certificate: string,
  { id, public_key, signature }: { id: string; public_key: string; signature: string },
): void {
  const isIts = fingerprintOfKey(public_key) === key
  if (!isIts || !verify(null, admissionOf(id, certificate), createPublicKey(public_key), Buffer.from(signature, 'hex')))
    throw new Error('who has answered is not whom the token is of: somebody stands in between')
}
