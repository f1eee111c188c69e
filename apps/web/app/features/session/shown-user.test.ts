import { expect, test } from 'vitest'
import { canManageServersAsAdmin, isAdmin } from '@wakestone/contract/capabilities'
import type { User } from '@wakestone/contract/accounts/user'
import { shownUser } from './shown-user.ts'

const boss = {
  user_capabilities: { admin: true, 'admin.server': true, 'administrator-of-a-club': true },
} as unknown as User

test('in preview mode an administrator is shown the panel as a customer', () => {
  const shown = shownUser(boss, true)!.user_capabilities
  expect([isAdmin(shown), canManageServersAsAdmin(shown)]).toEqual([false, false])
  expect(shown).toEqual({ 'administrator-of-a-club': true })
})

test('otherwise everybody is shown as they are', () => {
  const customer = { user_capabilities: { 'admin.server': true } } as unknown as User
  expect(shownUser(boss, false)).toBe(boss)
  expect(shownUser(customer, true)).toBe(customer)
  expect(shownUser(null, true)).toBeNull()
})
