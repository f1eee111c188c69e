/**
 * Webhooks are signed over `transmission id|transmission time|webhook id|CRC-32 of the body`, with RSA and SHA-256, by
 * the key of a certificate that the message names. So the address of that certificate is what must be right.
 */
import { verify, X509Certificate } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** The headers by which PayPal signs, as they came. */
export type Transmission = { id: string; time: string; signature: string; certificateUrl: string; algorithm: string }

/** Headers that matter for the signature, in lower case. */
export const transmissionHeaders = [
  'paypal-transmission-id',
  'paypal-transmission-time',
  'paypal-transmission-sig',
  'paypal-cert-url',
  'paypal-auth-algo',
] as const

/** PayPal repeats a message for three days; whatever claims to be older is a replay of something kept. */
const oldestSeconds = 73 * 3600
const newestSeconds = 5 * 60

type Headers = Readonly<Record<string, string | readonly string[] | undefined | null>>

/** Undefined where one is missing, given twice, or of a shape that PayPal never sends. */
export function readTransmission(headers: Headers): Transmission | undefined {
  const [id, time, signature, certificateUrl, algorithm] = transmissionHeaders.map((name) => headers[name])
  if (typeof id !== 'string' || typeof time !== 'string' || typeof signature !== 'string') return undefined
  if (typeof certificateUrl !== 'string' || typeof algorithm !== 'string') return undefined
  // A `|` in the id would let two different messages have one text to sign.
  if (!/^[\w-]{1,64}$/.test(id) || !/^[\dTZ:.+-]{1,40}$/.test(time)) return undefined
  if (!/^[A-Za-z0-9+/]{1,2048}={0,2}$/.test(signature) || certificateUrl.length > 500) return undefined
  return { id, time, signature, certificateUrl, algorithm }
}

/** Whether the message was sent as lately as PayPal's own repetitions are. */
export function isTimely({ time }: Transmission, receivedAt: Date): boolean {
  const sent = Date.parse(time)
  const age = (receivedAt.getTime() - sent) / 1000
  return age <= oldestSeconds && age >= -newestSeconds // NaN is neither
}

/**
 * Whether certificates may come from there: PayPal's own hosts, by https, from where it keeps them.
 * @param simulator origin of the stand-in of a demo or a test, which has a certificate of its own.
 */
export function isCertificateAddress(text: string, simulator?: string): boolean {
  let url: URL
  try {
    url = new URL(text)
  } catch {
    return false
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') return false
  if (!/^\/v1\/notifications\/certs\/[\w-]+$/.test(url.pathname)) return false
  if (simulator !== undefined && url.origin === simulator) return true
  return url.protocol === 'https:' && url.port === '' && /(^|\.)paypal\.com$/.test(url.hostname)
}

/** Whether the certificate's key signed exactly these bytes for our webhook. False for whatever cannot be read. */
export function isSignedWith(
  pem: string,
  { raw, transmission, webhookId, at }: { raw: Buffer; transmission: Transmission; webhookId: string; at: Date },
): boolean {
  if (transmission.algorithm.toUpperCase() !== 'SHA256WITHRSA') return false
  try {
    const certificate = new X509Certificate(pem)
    if (certificate.validFromDate > at || certificate.validToDate < at) return false
    if (certificate.publicKey.asymmetricKeyType !== 'rsa') return false
    const signed = `${transmission.id}|${transmission.time}|${webhookId}|${crc32(raw)}`
    return verify('sha256', Buffer.from(signed), certificate.publicKey, Buffer.from(transmission.signature, 'base64'))
  } catch {
    return false
  }
}
