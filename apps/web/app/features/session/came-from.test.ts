import { expect, it } from 'vitest'
import { cameFrom } from './came-from.ts'

it('goes back to local addresses only', () => {
  expect(cameFrom('/pl/create?product=GRASS', 'pl')).toBe('/pl/create?product=GRASS')
  for (const bad of [
    null,
    '',
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '/\u0009/evil.example',
    'javascript:alert(1)',
  ])
    expect(cameFrom(bad, 'de')).toBe('/de/s')
})
