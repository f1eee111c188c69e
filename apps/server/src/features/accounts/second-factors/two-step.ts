/** Second factors of an account: codes of an app and recovery codes. Whatever is added or removed is told its owner. */
import { randomBytes } from 'node:crypto'
import { DomainError } from '@wakestone/contract/errors'
import { type AuditAction, eventLevels } from '@wakestone/contract/ground/event'
import type { Security } from '@wakestone/contract/accounts/security'
import type { Context } from '#src/context.ts'
import { inTransaction, type Transaction } from '#src/db/client.ts'
import { recordUserEvent } from '#src/features/ground/events/service.ts'
import { notify } from '#src/features/ground/notifications/service.ts'
import { factorOf, tryGuess } from '#src/features/accounts/guesses/service.ts'
import { type UserRow, lockUser } from '#src/features/accounts/users/service.ts'
import {
  confirmTotp,
  countRecoveryCodes,
  deleteTotp,
  findFactors,
  findTotp,
  keepTotp,
  replaceRecoveryCodes,
} from './repo.ts'
import { hashRecoveryCode, inventRecoveryCode, openFor, sealFor } from './secrets.ts'
import { selectPasskeys } from './passkey-repo.ts'
import { stepOfCode, toBase32, totpAddress } from './totp.ts'

/** 160 bits, as RFC 4226 recommends. */
const secretBytes = 20
const recoveryCodes = 10

export async function showSecurity({ db }: Pick<Context, 'db'>, userId: string): Promise<Security> {
  const [totp, passkeys, recovery_codes_left] = await Promise.all([
    findTotp(db, userId),
    selectPasskeys(db, userId),
    countRecoveryCodes(db, userId),
  ])
  return {
    totp:
      totp?.confirmed_at == null
        ? null
        : { since: totp.confirmed_at.toISOString(), last_used_at: totp.last_used_at?.toISOString() ?? null },
    passkeys: passkeys.map(showPasskey),
    recovery_codes_left,
  }
}

export function showPasskey(passkey: {
  id: string
  name: string
  created_at: Date
  last_used_at: Date | null
  is_backed_up: boolean
}) {
  return {
    id: passkey.id,
    name: passkey.name,
    created_at: passkey.created_at.toISOString(),
    last_used_at: passkey.last_used_at?.toISOString() ?? null,
    backed_up: passkey.is_backed_up,
  }
}

/** Makes a secret; nothing is asked until it is confirmed. @throws DomainError `resource_already_exists` */
export async function beginTotp(context: Context, userId: string): Promise<{ secret: string; address: string }> {
  return inTransaction(context.db, async (trx) => {
    const user = await requireUser(trx, userId)
    const bytes = randomBytes(secretBytes)
    if (!(await keepTotp(trx, userId, sealFor(context, userId, bytes))))
      throw new DomainError('resource_already_exists')
    const secret = toBase32(bytes)
    return { secret, address: totpAddress({ secret, issuer: 'Wakestone', account: user.email }) }
  })
}

/**
 * Switches codes of an app on with the first one, which is used up by that.
 * @returns the recovery codes, when this is the account's first factor.
 * @throws DomainError `no_code`, `too_many_requests`, `resource_not_found` before a secret was made.
 */
export async function finishTotp(context: Context, userId: string, code: string): Promise<string[] | null> {
  const totp = await findTotp(context.db, userId)
  if (totp === undefined) throw new DomainError('resource_not_found')
  if (totp.confirmed_at !== null) throw new DomainError('resource_already_exists')
  const secret = openFor(context, userId, totp.sealed)
  const step = await tryGuess(context.db, factorOf(userId), async () => stepOfCode(secret, code, Date.now()))
  if (step === undefined) throw new DomainError('no_code')
  return inTransaction(context.db, async (trx) => {
    const user = await requireUser(trx, userId)
    const isFirst = await hasNoFactor(trx, userId)
    if (!(await confirmTotp(trx, userId, totp.sealed, step))) throw new DomainError('resource_already_exists')
    await noteFactor(trx, user, { action: 'USER_ADD_TOTP', notice: { kind: 'FACTOR_ADDED', factor: 'totp' } })
    return isFirst ? giveRecoveryCodes(context, trx, userId) : null
  })
}

/** @throws DomainError `resource_not_found` when they are off. */
export async function switchTotpOff(context: Context, userId: string): Promise<void> {
  await inTransaction(context.db, async (trx) => {
    const user = await requireUser(trx, userId)
    if (!(await deleteTotp(trx, userId))) throw new DomainError('resource_not_found')
    await voidCodesWithoutFactor(trx, userId)
    const notice = { kind: 'FACTOR_REMOVED', factor: 'totp' } as const
    await noteFactor(trx, user, { action: 'USER_REMOVE_TOTP', notice })
  })
}

/** @throws DomainError `resource_not_found` for an account without a second factor. */
export async function renewRecoveryCodes(context: Context, userId: string): Promise<string[]> {
  return inTransaction(context.db, async (trx) => {
    const user = await requireUser(trx, userId)
    if (await hasNoFactor(trx, userId)) throw new DomainError('resource_not_found')
    const notice = { kind: 'RECOVERY_CODES_NEW' } as const
    await noteFactor(trx, user, { action: 'USER_RENEW_RECOVERY_CODES', notice })
    return giveRecoveryCodes(context, trx, userId)
  })
}

/** New codes in place of all before; only their hashes are kept. */
export async function giveRecoveryCodes(context: Context, trx: Transaction, userId: string): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodes }, inventRecoveryCode)
  const hashes = codes.map((code) => hashRecoveryCode(context, userId, code))
  await replaceRecoveryCodes(trx, userId, hashes)
  return codes
}

/** Recovery codes stand in for a factor, and go with the last one. */
export async function voidCodesWithoutFactor(trx: Transaction, userId: string): Promise<void> {
  if (await hasNoFactor(trx, userId)) await replaceRecoveryCodes(trx, userId, [])
}

export async function hasNoFactor(trx: Transaction, userId: string): Promise<boolean> {
  const { totp, passkey } = await findFactors(trx, userId)
  return !totp && !passkey
}

/** Locked, so that two browsers cannot both add the first factor. */
export async function requireUser(trx: Transaction, userId: string): Promise<UserRow> {
  const user = await lockUser(trx, userId)
  if (user === undefined) throw new DomainError('user_not_found', { resource: 'user' })
  return user
}

/** A change of what guards an account, for its owner to know. `name` is a passkey's. */
type FactorNotice =
  | { kind: 'FACTOR_ADDED' | 'FACTOR_REMOVED'; factor: 'totp' | 'passkey'; name?: string }
  | { kind: 'RECOVERY_CODES_NEW' }

/** Writes down a change of what guards an account, and tells its owner. */
export async function noteFactor(
  trx: Transaction,
  user: UserRow,
  change: { action: AuditAction; data?: Record<string, unknown>; notice: FactorNotice },
): Promise<void> {
  const { action, data = {} } = change
  await recordUserEvent(trx, user.id, { action, level: eventLevels.WARN, data })
  const { notice } = change
  if (notice.kind === 'RECOVERY_CODES_NEW') await notify(trx, { userId: user.id, kind: notice.kind, fields: {} })
  else {
    const name = notice.name === undefined ? '' : ` (${notice.name})`
    await notify(trx, { userId: user.id, kind: notice.kind, fields: { factor: notice.factor, name } })
  }
}
