/**
 * Slows guessing down, per account and per address, never for everybody:
 * five failures in 15 minutes are free, then each further try waits longer.
 */
import { DomainError } from '@wakestone/contract/errors'
import type { Db } from '#src/db/client.ts'
import { countLoginFailures, deleteLoginFailures, insertLoginFailure } from './session-repo.ts'

const windowMilliseconds = 15 * 60_000
const free = { account: 5, ip: 20 }

const subjects = (login: string, ip: string) => ({ account: `account:${login.trim().toLowerCase()}`, ip: `ip:${ip}` })

/** Seconds to wait after `count` failures: 2, 4, 8 … up to 15 minutes. */
export function waitAfter(count: number, allowed: number): number {
  return count < allowed ? 0 : Math.min(2 ** (count - allowed + 1), 900)
}

/** @throws DomainError `too_many_requests` with `retry_after` in seconds. */
export async function requireLoginAllowed(db: Db, login: string, ip: string): Promise<void> {
  const since = new Date(Date.now() - windowMilliseconds)
  for (const [kind, subject] of Object.entries(subjects(login, ip)) as ['account' | 'ip', string][]) {
    const { count, last } = await countLoginFailures(db, subject, since)
    if (last === null) continue
    const left = waitAfter(count, free[kind]) - (Date.now() - last.getTime()) / 1000
    if (left > 0) throw new DomainError('too_many_requests', { resource: 'session', retry_after: Math.ceil(left) })
  }
}

export async function noteLoginFailure(db: Db, login: string, ip: string): Promise<void> {
  const { account, ip: address } = subjects(login, ip)
  await insertLoginFailure(db, account)
  await insertLoginFailure(db, address)
}

export async function forgetLoginFailures(db: Db, login: string): Promise<void> {
  await deleteLoginFailures(db, subjects(login, '').account)
}
