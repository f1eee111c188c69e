import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { lockDataDir } from './lock.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'ws-lock-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

test('one holder at a time', async () => {
  const lock = await lockDataDir(dir)
  await expect(lockDataDir(dir)).rejects.toThrow('Already running')
  lock.release()
  const next = await lockDataDir(dir)
  next.release()
})

test('a lock whose process is gone, or whose number another process has now, is taken over', async () => {
  for (const holder of [{ pid: 2 ** 22 + 1, began: '1' }, { pid: process.pid, began: '1' }, 'broken']) {
    writeFileSync(join(dir, 'standalone.lock'), JSON.stringify(holder))
    const lock = await lockDataDir(dir)
    lock.release()
  }
})

test('parts that an earlier start left running are ended', async () => {
  const lock = await lockDataDir(dir)
  const part = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' })
  const ended = new Promise((resolve) => part.once('exit', (_code, signal) => resolve(signal)))
  lock.note('part', part.pid as number)
  rmSync(join(dir, 'standalone.lock')) // as if the holder had been killed and its lock found stale
  const next = await lockDataDir(dir)
  expect(await ended).toBe('SIGTERM')
  next.release()
})
