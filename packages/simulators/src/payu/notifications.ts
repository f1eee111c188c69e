/** When PayU tells of an order, and how that is signed. */
import { createHash } from 'node:crypto'

const minute = 60_000
const hour = 60 * minute
/** 20 attempts in 72 hours. */
export const schedule = [
  ...[0, 1, 2, 5, 10, 30].map((minutes) => minutes * minute),
  ...[1, 2, 3, 6, 9, 12, 15, 18, 21, 24, 36, 48, 60, 72].map((hours) => hours * hour),
]

export type SignatureAlgorithm = 'MD5' | 'SHA-1' | 'SHA-256' | 'SHA-384' | 'SHA-512'

/** Value of the header `OpenPayu-Signature`. */
function sign(body: string, secondKey: string, algorithm: SignatureAlgorithm): string {
  const name = algorithm.replace('-', '').toLowerCase()
  const signature = createHash(name).update(body).update(secondKey).digest('hex')
  return `sender=checkout;signature=${signature};algorithm=${algorithm};content=DOCUMENT`
}

/** Headers of a notification. */
export const signedHeaders = (body: string, secondKey: string, algorithm: SignatureAlgorithm) => ({
  'content-type': 'application/json;charset=UTF-8',
  'user-agent': 'PayU-Simulator',
  'openpayu-signature': sign(body, secondKey, algorithm),
})
