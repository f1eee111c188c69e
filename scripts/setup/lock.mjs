// One set-up at a time in a checkout: a second start waits for the first one's.
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { cacheDir } from './run.mjs'

/** Runs `work` while holding the lock. A lock whose process is gone is taken over. */
export async function withSetupLock(work) {
  mkdirSync(cacheDir, { recursive: true })
  const lock = join(cacheDir, 'setup.lock')
  const draft = `${lock}.${process.pid}`
  writeFileSync(draft, String(process.pid))
  try {
    for (let told = false; !take(draft, lock); told = true) {
      if (!told) console.log('  waiting for another set-up of this checkout …')
      await delay(200)
    }
  } finally {
    rmSync(draft)
  }
  try {
    return await work()
  } finally {
    rmSync(lock, { force: true })
  }
}

function take(draft, lock) {
  try {
    linkSync(draft, lock) // fails when it is there; what it holds is written already
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
  }
  if (!isAlive(lock)) rmSync(lock, { force: true })
  return false
}

function isAlive(lock) {
  try {
    process.kill(Number(readFileSync(lock, 'utf8')), 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}
