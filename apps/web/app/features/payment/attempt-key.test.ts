import { expect, test } from 'vitest'
import { idempotencyKeySchema } from '@wakestone/contract/primitives'
import { attemptKey, endAttempt } from './attempt-key.ts'

function memoryStorage() {
  const kept = new Map<string, string>()
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  }
}

test('one order has one key until it is answered; another order has another', () => {
  const storage = memoryStorage()
  const first = attemptKey({ name: 'a' }, storage)
  expect(idempotencyKeySchema.safeParse(first).success).toBe(true)
  expect(attemptKey({ name: 'a' }, storage)).toBe(first)
  const other = attemptKey({ name: 'b' }, storage)
  expect(other).not.toBe(first)
  endAttempt(storage)
  expect(attemptKey({ name: 'b' }, storage)).not.toBe(other)
})
