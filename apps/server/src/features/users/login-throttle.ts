/**
 * Slows guessing down, never for everybody: who tries is counted per account and per address, or, in a browser where
 * the account's owner has signed in before, by that browser alone, so that guessing elsewhere locks nobody out.
 * Some failures in 15 minutes are free, then each further try waits longer.
 */
import { DomainError } from '@wakestone/contract/errors'
import type { Handle } from '#src/db/client.ts'
import { countLoginFailures, deleteLoginFailures, insertLoginFailure } from './session-repo.ts'

const windowMilliseconds = 15 * 60_000

/** What failures are counted under, each with how many of them are free; the first is forgotten after a success. */
export type Guesser = readonly [{ subject: string; free: number }, ...{ subject: string; free: number }[]]

export const strangerAt = (login: string, ip: string): Guesser => [
  { subject: `account:${login.trim().toLowerCase()}`, free: 5 },
  { subject: `ip:${ip}`, free: 20 },
]
export const knownDevice = (login: string, device: string): Guesser => [
  { subject: `${device}:${login.trim().toLowerCase()}`, free: 10 },
]
/** Somebody who is signed in and is asked for the account's own password. */
export const ownerOf = (userId: string): Guesser => [{ subject: `own:${userId}`, free: 5 }]

/** Seconds to wait after `count` failures: 2, 4, 8 … up to 15 minutes. */
export function waitAfter(count: number, allowed: number): number {
  return count < allowed ? 0 : Math.min(2 ** (count - allowed + 1), 900)
}

/** @throws DomainError `too_many_requests` with `retry_after` in seconds. */
export async function requireGuessAllowed(db: Handle, guesser: Guesser): Promise<void> {
  const since = new Date(Date.now() - windowMilliseconds)
  for (const { subject, free } of guesser) {
    const { count, last } = await countLoginFailures(db, subject, since)
    if (last === null) continue
    const left = waitAfter(count, free) - (Date.now() - last.getTime()) / 1000
    if (left > 0) throw new DomainError('too_many_requests', { resource: 'session', retry_after: Math.ceil(left) })
  }
}

export async function noteWrongGuess(db: Handle, guesser: Guesser): Promise<void> {
  for (const { subject } of guesser) await insertLoginFailure(db, subject)
}

export async function forgetWrongGuesses(db: Handle, [{ subject }]: Guesser): Promise<void> {
  await deleteLoginFailures(db, subject)
}
