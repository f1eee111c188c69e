import { expect, test } from 'vitest'
import { z } from 'zod'
import { randomId } from './random-id.ts'

test('is a UUID of version 4, another each time', () => {
  const all = Array.from({ length: 1000 }, randomId)
  for (const id of all) expect(z.uuidv4().safeParse(id).success).toBe(true)
  expect(new Set(all).size).toBe(all.length)
})
