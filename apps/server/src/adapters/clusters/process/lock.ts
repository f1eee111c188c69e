/** A lock between processes: a file that names its holder, so that the lock of a dead one is no lock. */
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { dirname } from 'node:path'
import { readStartTime, waitUntil } from './processes.ts'

const WAIT_MS = 30_000

/**
 * Runs `action` while no other process holds the lock.
 * @throws Error when a living holder does not let go in time.
 */
export async function withLock<T>(path: string, action: () => Promise<T>): Promise<T> {
  mkdirSync(dirname(path), { recursive: true })
  const mine = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`
  writeFileSync(mine, `${process.pid} ${readStartTime(process.pid)}`)
  try {
    if (!(await waitUntil(() => tryTake(path, mine), WAIT_MS))) throw new Error(`${path} is held by another process`)
    try {
      return await action()
    } finally {
      rmSync(path, { force: true })
    }
  } finally {
    rmSync(mine, { force: true })
  }
}

function tryTake(path: string, mine: string): boolean {
  try {
    linkSync(mine, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  if (isHeld(path)) return false
  // Another process may see the same dead lock, and take it before us: what was moved aside is looked at again.
  const aside = `${mine}.dead`
  try {
    renameSync(path, aside)
    if (isHeld(aside)) linkSync(aside, path)
  } catch {
    // Somebody was quicker.
  }
  rmSync(aside, { force: true })
  return false
}

/** Whether a living process holds it. */
export function isHeld(path: string): boolean {
  try {
    const [pid, startTime] = readFileSync(path, 'utf8').split(' ')
    return startTime !== undefined && readStartTime(Number(pid)) === startTime
  } catch {
    return false
  }
}
