import { expect, test } from 'vitest'
import { IconServer as icon } from '@tabler/icons-react'
import { findActive } from './nav.ts'

const items = ['/s/meadow', '/s/meadow/events', '/s/meadow/payments', '/s/meadow/payments/upgrade'].map((to) => ({
  to,
  label: to,
  icon,
}))

test.each([
  ['/s/meadow', '/s/meadow'],
  ['/s/meadow/events/0190a0a0', '/s/meadow/events'],
  ['/s/meadow/payments', '/s/meadow/payments'],
  ['/s/meadow/payments/renew', '/s/meadow/payments'],
  ['/s/meadow/payments/upgrade', '/s/meadow/payments/upgrade'],
  ['/s/meadow/settings/access', '/s/meadow'],
  ['/s/meadows', undefined],
])('%s is marked at %s', (pathname, to) => {
  expect(findActive(items, pathname)?.to).toBe(to)
  expect(findActive(items.toReversed(), pathname)?.to).toBe(to)
})

test('an entry that stands for itself alone stands for nothing below it', () => {
  const list = [{ to: '/pl/s', label: '', icon, end: true }]
  expect(findActive(list, '/pl/s')).toBe(list[0])
  expect(findActive(list, '/pl/s/more')).toBeUndefined()
})

test('an entry is marked on the other paths that it stands for', () => {
  const list = [{ to: '/pl/account/settings', label: '', icon, also: ['/pl/account/bills'] }]
  expect(findActive(list, '/pl/account/bills')).toBe(list[0])
  expect(findActive(list, '/pl/account/support')).toBeUndefined()
})

test('an entry is marked below a path that ends in a slash', () => {
  const list = [{ to: '/pl/admin/users', label: '', icon, also: ['/pl/user/'] }]
  expect(findActive(list, '/pl/user/0190a0a0')).toBe(list[0])
  expect(findActive(list, '/pl/user')).toBeUndefined()
})
