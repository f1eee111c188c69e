import type { GrantableCapability } from '@wakestone/contract/accounts/sharing'

/** Usual choices, from looking on to everything that can be shared. They only tick boxes: what is stored are the rights. */
export const roles = {
  watch: [],
  players: ['server.manage.players'],
  operator: ['server.manage.power', 'server.manage.console', 'server.manage.players'],
  builder: ['server.manage.power', 'server.manage.console', 'server.packages'],
  full: ['server.manage', 'server.packages'],
} as const satisfies Record<string, readonly GrantableCapability[]>
export type Role = keyof typeof roles

/** The role whose rights these are, all of them and no other. */
export function roleOf(chosen: readonly string[]): Role | null {
  const found = Object.entries(roles).find(
    ([, rights]: [string, readonly string[]]) =>
      rights.length === chosen.length && rights.every((name) => chosen.includes(name)),
  )
  return (found?.[0] as Role | undefined) ?? null
}
