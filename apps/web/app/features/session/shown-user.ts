import { canOpenAdminMenu } from '@wakestone/contract/capabilities'
import type { User } from '@wakestone/contract/accounts/user'

/** A user as the pages treat them: in preview mode an administrator without what makes them one. */
export function shownUser(user: User | null, isPreview: boolean): User | null {
  if (user === null || !isPreview || !canOpenAdminMenu(user.user_capabilities)) return user
  const kept = Object.entries(user.user_capabilities).filter(([name]) => !/^admin(\.|$)/.test(name))
  return { ...user, user_capabilities: Object.fromEntries(kept) }
}
