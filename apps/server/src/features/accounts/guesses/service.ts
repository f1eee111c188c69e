/**
 * Slows guessing down, never for everybody: who tries is counted per account and per address, or, in a browser where
 * the account's owner has signed in before, by that browser alone, so that guessing elsewhere locks nobody out.
 * Some failures in 15 minutes are free, then each further try waits longer.
 */
import { DomainError } from '@wakestone/contract/errors'
import type { Handle } from '#src/db/client.ts'
import { networkOf } from '#src/features/ground/limits/service.ts'
import { countLoginFailures, deleteLoginFailures, insertLoginFailure } from './repo.ts'

export { deleteLoginFailuresBefore as dropLoginFailuresBefore } from './repo.ts'

const windowMilliseconds = 15 * 60_000

/** What failures are counted under, each with how many of them are free; the first is forgotten after a success. */
export type Guesser = readonly [{ subject: string; free: number }, ...{ subject: string; free: number }[]]

export const strangerAt = (login: string, ip: string): Guesser => [
  { subject: `account:${login.trim().toLowerCase()}`, free: 5 },
  { subject: `ip:${networkOf(ip)}`, free: 20 },
]
export const knownDevice = (login: string, device: string): Guesser => [
  { subject: `${device}:${login.trim().toLowerCase()}`, free: 10 },
]
/** Somebody who is signed in and is asked for the account's own password. */
export const ownerOf = (userId: string): Guesser => [{ subject: `own:${userId}`, free: 5 }]
/** The same, asked for a second factor: a right password must not give new tries at it. */
export const factorOf = (userId: string): Guesser => [{ subject: `own-factor:${userId}`, free: 5 }]

/** Seconds to wait after `count` failures: 2, 4, 8 … up to 15 minutes. */
export function waitAfter(count: number, allowed: number): number {
  return count < allowed ? 0 : Math.min(2 ** (count - allowed + 1), 900)
}

/** Tries that this process is looking at, by subject: many at once are many. */
const pending = new Map<string, number>()
/** Subjects that must wait, by when (ms) the database is asked about them again: refusing a flood costs next to nothing. */
const waiting = new Map<string, number>()
const waitingKept = 20_000
const askAgainMilliseconds = 1_000

/**
 * Looks at one try, unless there were too many.
 * @param look finds what the try opens; undefined when it is wrong, and then it counts.
 * @throws DomainError `too_many_requests` with `retry_after` in seconds, before anything costly is done.
 */
export async function tryGuess<Found>(
  db: Handle,
  guesser: Guesser,
  look: () => Promise<Found | undefined>,
): Promise<Found | undefined> {
  for (const { subject } of guesser) {
    const left = (waiting.get(subject) ?? 0) - Date.now()
    if (left > 0) refuse(left / 1000)
  }
  // Counted before the database is asked: a try that ends meanwhile is in one of the two, never in none.
  const before = guesser.map(({ subject }) => pending.get(subject) ?? 0)
  for (const { subject } of guesser) pending.set(subject, (pending.get(subject) ?? 0) + 1)
  try {
    await requireGuessAllowed(db, guesser, before)
    const found = await look()
    if (found === undefined) await noteWrongGuess(db, guesser)
    else await forgetWrongGuesses(db, guesser)
    return found
  } finally {
    for (const { subject } of guesser) {
      const left = (pending.get(subject) ?? 1) - 1
      if (left === 0) pending.delete(subject)
      else pending.set(subject, left)
    }
  }
}

function refuse(seconds: number): never {
  throw new DomainError('too_many_requests', { resource: 'session', retry_after: Math.ceil(seconds) })
}

/**
 * @param besides tries per subject that are being looked at.
 * @throws DomainError `too_many_requests` with `retry_after` in seconds.
 */
async function requireGuessAllowed(db: Handle, guesser: Guesser, besides: readonly number[]): Promise<void> {
  const since = new Date(Date.now() - windowMilliseconds)
  for (const [index, { subject, free }] of guesser.entries()) {
    const { count, last } = await countLoginFailures(db, subject, since)
    const also = besides[index] ?? 0
    if (also > 0 && count + also >= free) refuse(waitAfter(count + also, free))
    const left = last === null ? 0 : waitAfter(count, free) - (Date.now() - last.getTime()) / 1000
    if (left <= 0) continue
    if (waiting.size >= waitingKept) waiting.clear()
    waiting.set(subject, Date.now() + Math.min(left * 1000, askAgainMilliseconds))
    refuse(left)
  }
}

async function noteWrongGuess(db: Handle, guesser: Guesser): Promise<void> {
  for (const { subject } of guesser) await insertLoginFailure(db, subject)
}

export async function forgetWrongGuesses(db: Handle, [{ subject }]: Guesser): Promise<void> {
  waiting.delete(subject)
  await deleteLoginFailures(db, subject)
}
