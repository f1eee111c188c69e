/** Sends notifications, signed as PayU signs them, again and again until they are answered with 200. */
import { createHash, randomUUID } from 'node:crypto'

export type Delivery = {
  id: string
  orderId: string
  url: string
  body: string
  signature: string
  attempt: number
  /** Time of the next attempt, in milliseconds. */
  due: number
  /** Forgeries: their sender does not wait for an answer. */
  once?: boolean
}

export type Letter = Pick<Delivery, 'orderId' | 'url' | 'body' | 'signature' | 'once'>

const minute = 60_000
const hour = 60 * minute
/** PayU's schedule: 20 attempts in 72 hours. */
const schedule = [
  ...[0, 1, 2, 5, 10, 30].map((minutes) => minutes * minute),
  ...[1, 2, 3, 6, 9, 12, 15, 18, 21, 24, 36, 48, 60, 72].map((hours) => hours * hour),
]

export type SignatureAlgorithm = 'MD5' | 'SHA-1' | 'SHA-256' | 'SHA-384' | 'SHA-512'

/** Value of the header `OpenPayu-Signature`. */
export function sign(body: string, secondKey: string, algorithm: SignatureAlgorithm): string {
  const name = algorithm.replace('-', '').toLowerCase()
  const signature = createHash(name).update(body).update(secondKey).digest('hex')
  return `sender=checkout;signature=${signature};algorithm=${algorithm};content=DOCUMENT`
}

export type Postman = {
  send(letter: Letter, options?: { delay?: number }): void
  /** One attempt now, whose answer is awaited; further ones as usual. */
  sendNow(letter: Letter): Promise<void>
  waiting(): Delivery[]
  /** Takes up what an earlier process has left. */
  restore(deliveries: Delivery[]): void
  close(): Promise<void>
}

/**
 * @param timeScale factor on the schedule: 0.001 makes minutes of it 60 ms.
 * @param onChange called when what is waiting changed.
 */
export function createPostman({ timeScale, onChange }: { timeScale: number; onChange: () => void }): Postman {
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
    const isTaken = await post(delivery, stop.signal)
    if (stop.signal.aborted && !isTaken) return // the next process sends it again
    delivery.attempt++
    const next = schedule[delivery.attempt]
    if (isTaken || next === undefined || delivery.once === true) {
      waiting.delete(delivery.id)
    } else {
      delivery.due = Date.now() + (next - (schedule[delivery.attempt - 1] ?? 0)) * timeScale
      arm(delivery)
    }
    onChange()
  }

  function queue(letter: Letter, delay: number): Delivery {
    const delivery = { ...letter, id: randomUUID(), attempt: 0, due: Date.now() + delay }
    waiting.set(delivery.id, delivery)
    onChange()
    return delivery
  }

  return {
    send: (letter, { delay = 0 } = {}) => arm(queue(letter, delay)),
    sendNow: (letter) => begin(queue(letter, 0)),
    waiting: () => [...waiting.values()],
    restore(deliveries) {
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

async function post({ url, body, signature }: Delivery, signal: AbortSignal): Promise<boolean> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json;charset=UTF-8',
        'user-agent': 'PayU-Simulator',
        'openpayu-signature': signature,
      },
      signal: AbortSignal.any([signal, AbortSignal.timeout(10_000)]),
    })
    await response.arrayBuffer()
    return response.status === 200
  } catch {
    return false
  }
}
