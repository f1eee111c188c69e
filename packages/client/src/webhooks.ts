/** Messages of webhooks, whose signatures are as https://www.standardwebhooks.com describes. */

export type ReceivedWebhook = {
  /** The same when a message is sent again. */
  id: string
  /** The action of the event; `ping` for a message to try the address. */
  type: string
  timestamp: string
  /** The event, as `GET /events/:id` shows it. */
  data: Record<string, unknown> | undefined
}

/** A message that is not from who it says, or too old. */
export class WebhookError extends Error {}

const freshSeconds = 300

/**
 * @param secret `whsec_…`, as the panel shows it
 * @param body as it came, before anything parsed it
 * @throws WebhookError
 */
export async function readWebhook(
  secret: string,
  headers: Headers | Record<string, string | string[] | undefined>,
  body: string,
  now = new Date(),
): Promise<ReceivedWebhook> {
  const header = (name: string): string => {
    const value = headers instanceof Headers ? headers.get(name) : headers[name]
    if (typeof value !== 'string') throw new WebhookError(`there is no ${name}`)
    return value
  }
  const [id, seconds, signatures] = [header('webhook-id'), header('webhook-timestamp'), header('webhook-signature')]
  if (!(Math.abs(now.getTime() / 1000 - Number(seconds)) < freshSeconds))
    throw new WebhookError('it was sent too long ago, or a clock is wrong')
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', bytesOf(secret.replace(/^whsec_/, '')), algorithm, false, ['verify'])
  const text = new TextEncoder().encode(`${id}.${seconds}.${body}`)
  const given = signatures.split(' ').filter((one) => one.startsWith('v1,'))
  const checks = await Promise.all(given.map((one) => crypto.subtle.verify('HMAC', key, bytesOf(one.slice(3)), text)))
  if (!checks.includes(true)) throw new WebhookError('no signature is by this secret')
  const { type, timestamp, data } = JSON.parse(body) as Omit<ReceivedWebhook, 'id'>
  return { id, type, timestamp, data }
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
  } catch {
    throw new WebhookError('something in it is not base64')
  }
}
