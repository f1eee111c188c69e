/** Sends notifications again and again until they are taken, as payment providers do. */
import { randomUUID } from 'node:crypto'

export type Delivery = {
  id: string
  orderId: string
  url: string
  body: string
  /** Among them what the body is signed with. */
  headers: Record<string, string>
  attempt: number
  /** Time of the next attempt, in milliseconds. */
  due: number
  /** Forgeries: their sender does not wait for an answer. */
  once?: boolean
}

export type Letter = Pick<Delivery, 'orderId' | 'url' | 'body' | 'headers' | 'once'>

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
 * @param schedule milliseconds after the first attempt at which the first, second … one is made.
 * @param timeScale factor on the schedule: 0.001 makes minutes of it 60 ms.
 * @param isTaken whether an answer of this status ends the attempts.
 * @param onChange called when what is waiting changed.
 */
export function createPostman({
  schedule,
  timeScale,
  isTaken: isSuccess,
  onChange,
}: {
  schedule: readonly number[]
  timeScale: number
  isTaken: (status: number) => boolean
  onChange: () => void
}): Postman {
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
    const status = await post(delivery, stop.signal)
    const isTaken = status !== undefined && isSuccess(status)
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

/** Status of the answer, if there was one. */
async function post({ url, body, headers }: Delivery, signal: AbortSignal): Promise<number | undefined> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      body,
      headers,
      signal: AbortSignal.any([signal, AbortSignal.timeout(10_000)]),
    })
    await response.arrayBuffer()
    return response.status
  } catch {
    return undefined
  }
}
