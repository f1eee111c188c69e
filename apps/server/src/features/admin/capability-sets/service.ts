/**
 * Saved sets of capabilities, which operators call roles. Whoever has a set holds what it says at the time, beneath
 * what they were granted themselves.
 */
import type { z } from 'zod'
import { canGrant, type Capabilities } from '@wakestone/contract/capabilities'
import type {
  CapabilitySet,
  CapabilitySetHolder,
  capabilitySetBody,
  UserCapabilitySets,
} from '@wakestone/contract/admin/capability-set'
import { DomainError } from '@wakestone/contract/errors'
import { eventLevels } from '@wakestone/contract/ground/event'
import type { Context } from '#src/context.ts'
import { type Handle, inTransaction, type Transaction } from '#src/db/client.ts'
import {
  findAdminUser,
  lockAdministration,
  recordCapabilityChange,
  requireAdministratorLeft,
} from '#src/features/admin/admin/service.ts'
import { recordUserEvent } from '#src/features/ground/events/service.ts'
import { findUserByLogin } from '#src/features/accounts/users/service.ts'
import type { Principal } from '#src/http/principal.ts'
import {
  deleteHolder,
  deleteSet,
  findGrantsOf,
  findHolders,
  findSet,
  findSets,
  findSetsOf,
  insertHolder,
  insertSet,
  type SetRow,
  updateSet,
} from './repo.ts'

type Given = z.output<typeof capabilitySetBody>

export async function listSets({ db }: Pick<Context, 'db'>): Promise<CapabilitySet[]> {
  return (await findSets(db)).map(describe)
}

/** @throws DomainError `insufficient_capabilities` for administration that the caller does not hold; a taken name. */
export async function createSet({ db }: Pick<Context, 'db'>, actor: Principal, body: Given): Promise<CapabilitySet> {
  return inTransaction(db, async (trx) => {
    requireGrantable(await lockAdministration(trx, actor), body.capabilities)
    const id = await insertSet(trx, body).catch(refuseTakenName)
    await recordSetChange(trx, actor, { set: body.name, before: null, after: body.capabilities })
    return describe(await requireSet(trx, id))
  })
}

/** As `createSet`; also DomainError `last_administrator` when nobody would administer any more. */
export async function changeSet(
  { db }: Pick<Context, 'db'>,
  actor: Principal,
  { id, ...body }: Given & { id: string },
): Promise<CapabilitySet> {
  return inTransaction(db, async (trx) => {
    requireGrantable(await lockAdministration(trx, actor), body.capabilities)
    const before = await requireSet(trx, id)
    await updateSet(trx, id, body).catch(refuseTakenName)
    await requireAdministratorLeft(trx)
    await recordSetChange(trx, actor, { set: body.name, before: before.capabilities, after: body.capabilities })
    return describe(await requireSet(trx, id))
  })
}

/** @throws DomainError `last_administrator` when nobody would administer any more. */
export async function removeSet({ db }: Pick<Context, 'db'>, actor: Principal, id: string): Promise<void> {
  await inTransaction(db, async (trx) => {
    await lockAdministration(trx, actor)
    const { name, capabilities } = await requireSet(trx, id)
    await deleteSet(trx, id)
    await requireAdministratorLeft(trx)
    await recordSetChange(trx, actor, { set: name, before: capabilities, after: null })
  })
}

export async function listHolders({ db }: Pick<Context, 'db'>, id: string): Promise<CapabilitySetHolder[]> {
  await requireSet(db, id)
  return (await findHolders(db, id)).map(({ given_at, ...user }) => ({ ...user, given_at: given_at.toISOString() }))
}

/** @throws DomainError `user_not_found`. */
export async function listSetsOf({ db }: Pick<Context, 'db'>, userId: string): Promise<UserCapabilitySets> {
  if ((await findAdminUser(db, userId)) === undefined) throw new DomainError('user_not_found', { resource: 'user' })
  const [granted, sets] = await Promise.all([findGrantsOf(db, userId), findSetsOf(db, userId)])
  return { granted, sets }
}

/** @throws DomainError `user_not_found`; `insufficient_capabilities` for administration that the caller does not hold. */
export async function giveSet(
  { db }: Pick<Context, 'db'>,
  actor: Principal,
  { id, user: login }: { id: string; user: string },
): Promise<CapabilitySetHolder> {
  return inTransaction(db, async (trx) => {
    const own = await lockAdministration(trx, actor)
    const { capabilities } = await requireSet(trx, id)
    requireGrantable(own, capabilities)
    const user = await findUserByLogin(trx, login)
    if (user === undefined) throw new DomainError('user_not_found', { resource: 'user' })
    const { result } = await recordCapabilityChange(trx, { userId: user.id, actor }, () =>
      insertHolder(trx, id, user.id),
    )
    return { id: user.id, username: user.username, given_at: result.toISOString() }
  })
}

/** @throws DomainError `resource_not_found` when the user does not have it, `last_administrator`. */
export async function takeSet(
  { db }: Pick<Context, 'db'>,
  actor: Principal,
  { id, userId }: { id: string; userId: string },
): Promise<void> {
  await inTransaction(db, async (trx) => {
    await lockAdministration(trx, actor)
    const { result: had } = await recordCapabilityChange(trx, { userId, actor }, () => deleteHolder(trx, id, userId))
    if (!had) throw new DomainError('resource_not_found')
    await requireAdministratorLeft(trx)
  })
}

async function requireSet(db: Handle, id: string): Promise<SetRow> {
  const set = await findSet(db, id)
  if (set === undefined) throw new DomainError('resource_not_found')
  return set
}

function requireGrantable(granter: Capabilities, granted: Capabilities): void {
  if (!canGrant(granter, granted)) throw new DomainError('insufficient_capabilities')
}

function refuseTakenName(error: unknown): never {
  if ((error as { constraint?: string }).constraint === 'capability_sets_name')
    throw new DomainError('resource_already_exists', { resource: 'name' })
  throw error
}

async function recordSetChange(
  trx: Transaction,
  actor: Principal,
  data: { set: string; before: Capabilities | null; after: Capabilities | null },
): Promise<void> {
  await recordUserEvent(trx, actor.userId, { action: 'USER_CHANGE_CAPABILITY_SET', level: eventLevels.WARN, data })
}

function describe({ updated_at, ...set }: SetRow): CapabilitySet {
  return { ...set, updated_at: updated_at.toISOString() }
}
