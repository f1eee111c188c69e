/** Sends webhooks as PayPal does: signed anew for each transmission, again and again until they are answered with 2xx. */
import { randomUUID, sign, verify, X509Certificate } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { SigningKey } from './certificate.ts'

export type Headers = Record<string, string>
export type Delivery = {
  id: string
  body: string
  /** Unset: signed when it is sent. */
  headers?: Headers | undefined
  attempt: number
  /** Time of the next attempt, in milliseconds. */
  due: number
}

type Signer = { key: SigningKey; webhookId: string; certificateUrl: string; time?: Date }

/** The headers of one transmission of this body. */
export function signWebhook(body: string, { key, webhookId, certificateUrl, time = new Date() }: Signer): Headers {
  const id = randomUUID()
  const at = `${time.toISOString().slice(0, 19)}Z`
  const signature = sign('sha256', Buffer.from(`${id}|${at}|${webhookId}|${crc32(body)}`), key.privateKey)
  return {
    'content-type': 'application/json',
    'user-agent': 'PayPal/AUHD-214.0-55417034',
    'paypal-transmission-id': id,
    'paypal-transmission-time': at,
    'paypal-transmission-sig': signature.toString('base64'),
    'paypal-cert-url': certificateUrl,
    'paypal-auth-algo': 'SHA256withRSA',
  }
}

/** Whether we have signed it, as PayPal answers `verify-webhook-signature`. `eventText` is the event byte for byte. */
export function isOurs(fields: Record<string, unknown>, eventText: string, { key, webhookId, certificateUrl }: Signer) {
  if (fields['webhook_id'] !== webhookId || fields['cert_url'] !== certificateUrl) return false
  if (fields['auth_algo'] !== 'SHA256withRSA') return false
  const text = `${fields['transmission_id']}|${fields['transmission_time']}|${webhookId}|${crc32(eventText)}`
  const { publicKey } = new X509Certificate(key.certificate)
  return verify('sha256', Buffer.from(text), publicKey, Buffer.from(String(fields['transmission_sig']), 'base64'))
}

/** 25 attempts in three days, ever more seldom. */
const attempts = 25
const attemptAt = (attempt: number) => 72 * 3_600_000 * (attempt / (attempts - 1)) ** 3

/**
 * @param urlOf where webhooks go at the time; none: they wait.
 * @param timeScale factor on the schedule.
 */
export function createPostman({
  urlOf,
  headersOf,
  timeScale,
  onChange,
}: {
  urlOf: () => string | undefined
  headersOf: (body: string) => Headers
  timeScale: number
  onChange: () => void
}) {
  const waiting = new Map<string, Delivery>()
  const timers = new Map<string, NodeJS.Timeout>()
  const running = new Set<Promise<void>>()
  const stop = new AbortController()

  function arm(delivery: Delivery) {
    if (stop.signal.aborted) return
    const wait = Math.min(Math.max(0, delivery.due - Date.now()), 2 ** 31 - 1)
    timers.set(delivery.id, setTimeout(() => void begin(delivery), wait).unref())
  }

  function begin(delivery: Delivery): Promise<void> {
    timers.delete(delivery.id)
    const attempt = tryOnce(delivery)
    running.add(attempt)
    return attempt.finally(() => running.delete(attempt))
  }

  async function tryOnce(delivery: Delivery) {
    const isTaken = await post(urlOf(), delivery.body, delivery.headers ?? headersOf(delivery.body), stop.signal)
    if (stop.signal.aborted && !isTaken) return // the next process sends it again
    delivery.attempt++
    if (isTaken || delivery.attempt >= attempts || delivery.headers !== undefined) waiting.delete(delivery.id)
    else {
      delivery.due = Date.now() + (attemptAt(delivery.attempt) - attemptAt(delivery.attempt - 1)) * timeScale
      arm(delivery)
    }
    onChange()
  }

  function queue(body: string, { delay = 0, headers }: { delay?: number; headers?: Headers | undefined }): Delivery {
    const delivery = { id: randomUUID(), body, headers, attempt: 0, due: Date.now() + delay }
    waiting.set(delivery.id, delivery)
    onChange()
    return delivery
  }

  return {
    /** `headers`: a forgery's own; it is sent once. */
    send: (body: string, options: { delay?: number; headers?: Headers | undefined } = {}) => arm(queue(body, options)),
    /** One attempt now, whose answer is awaited; further ones as usual. */
    sendNow: (body: string) => begin(queue(body, {})),
    waiting: (): Delivery[] => [...waiting.values()],
    /** Takes up what an earlier process has left. */
    restore(deliveries: readonly Delivery[]) {
      for (const delivery of deliveries) {
        waiting.set(delivery.id, delivery)
        arm(delivery)
      }
    },
    async close() {
      stop.abort()
      for (const timer of timers.values()) clearTimeout(timer)
      await Promise.allSettled(running)
    },
  }
}

async function post(url: string | undefined, body: string, headers: Headers, signal: AbortSignal): Promise<boolean> {
  if (url === undefined) return false
  try {
    const response = await fetch(url, {
      method: 'POST',
      body,
      headers,
      signal: AbortSignal.any([signal, AbortSignal.timeout(10_000)]),
    })
    await response.arrayBuffer()
    return response.ok
  } catch {
    return false
  }
}
