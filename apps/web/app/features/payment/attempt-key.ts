/**
 * The idempotency key of one attempt to buy. The same order sent again, after a lost answer or a reload, carries the
 * same key, so that it is charged once at most. A definite answer, good or bad, ends the attempt.
 */
import { randomId } from '#app/api/random-id.ts'
type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem' | 'removeItem'>

const place = 'wakestone.create.attempt'

export function attemptKey(order: unknown, storage: Storage): string {
  const text = JSON.stringify(order)
  try {
    const kept: unknown = JSON.parse(storage.getItem(place) ?? 'null')
    if (
      kept !== null &&
      typeof kept === 'object' &&
      'order' in kept &&
      'key' in kept &&
      kept.order === text &&
      typeof kept.key === 'string'
    )
      return kept.key
  } catch {
    // Spoilt: a new attempt.
  }
  const key = randomId()
  storage.setItem(place, JSON.stringify({ order: text, key }))
  return key
}

export function endAttempt(storage: Storage): void {
  storage.removeItem(place)
}
