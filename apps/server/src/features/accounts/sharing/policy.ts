/**
 * Who may share what. `server.share` is held by the owner, and by whom the owner gives it explicitly: it is no part of
 * `server.manage`. Whoever holds it passes on at most what they hold themselves and never `server.share`, and changes
 * only people who hold no more than that.
 */
import { type Capabilities, canManageServersAsAdmin, hasCapability } from '@wakestone/contract/capabilities'
import { type GrantableCapability, grantableCapabilities } from '@wakestone/contract/accounts/sharing'

/** What somebody holds on the whole product and on the server that is shared. */
export type Rights = { product: Capabilities; server: Capabilities }
export type Sharer = { userId: string; ownerId: string; rights: Rights }

const holds = ({ product, server }: Rights, name: string) =>
  canManageServersAsAdmin(product) || hasCapability(server, name)

export const mayShare = ({ rights }: Sharer) => holds(rights, 'server.share')

/** The owner, or an administrator in their place. */
const actsAsOwner = ({ userId, ownerId, rights }: Sharer) =>
  userId === ownerId || canManageServersAsAdmin(rights.product)

export function mayGrant(sharer: Sharer, name: string): boolean {
  return mayShare(sharer) && holds(sharer.rights, name) && (name !== 'server.share' || actsAsOwner(sharer))
}

/** What a sharer may pass on, in the order it is shown. */
export function grantableBy(sharer: Sharer): GrantableCapability[] {
  return grantableCapabilities.filter((name) => mayGrant(sharer, name))
}

/** Whether a sharer may change what somebody else holds, or withdraw what waits for them. */
export function mayChange(sharer: Sharer, held: Capabilities): boolean {
  if (actsAsOwner(sharer)) return mayShare(sharer)
  const names = [...grantableCapabilities, ...Object.keys(held)]
  return names.every((name) => !hasCapability(held, name) || mayGrant(sharer, name))
}

export const asCapabilities = (names: readonly string[]): Capabilities =>
  Object.fromEntries(names.map((name) => [name, true]))
