import { expect, test } from 'vitest'
import { createCommandHistory } from './command-history.ts'

function memoryStorage(initial: Record<string, string> = {}) {
  const kept = new Map(Object.entries(initial))
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  }
}

test('goes back and forth and returns to what was being typed', () => {
  const history = createCommandHistory('a', memoryStorage())
  history.add('list')
  history.add('say hi')
  expect(history.older('sa')).toBe('say hi')
  expect(history.older('say hi')).toBe('list')
  expect(history.older('list')).toBeNull()
  expect(history.newer()).toBe('say hi')
  expect(history.newer()).toBe('sa')
  expect(history.newer()).toBeNull()
})

test('is kept per server, each command once, a hundred of them', () => {
  const storage = memoryStorage()
  const first = createCommandHistory('a', storage)
  for (let i = 0; i < 150; i += 1) first.add(`give ${i}`)
  first.add('give 149')
  const again = createCommandHistory('a', storage)
  const all: string[] = []
  for (let command = again.older(''); command !== null; command = again.older('')) all.push(command)
  expect(all).toHaveLength(100)
  expect(all[0]).toBe('give 149')
  expect(all[1]).toBe('give 148')
  expect(createCommandHistory('b', storage).older('')).toBeNull()
})

test('a spoilt or forbidden store is no obstacle', () => {
  const spoilt = createCommandHistory('a', memoryStorage({ 'wakestone.console.a': '{"x":1}' }))
  expect(spoilt.older('')).toBeNull()
  const refusing = {
    getItem: () => {
      throw new Error('denied')
    },
    setItem: () => {
      throw new Error('denied')
    },
  }
  const history = createCommandHistory('a', refusing)
  history.add('list')
  expect(history.older('')).toBe('list')
})
