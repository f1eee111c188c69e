import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type DiskWatch, watchDisk } from './disk-watch.ts'

const mebibyte = 1024 * 1024
let folder: string
let watch: DiskWatch
let free: number
let done: string[]

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  folder = mkdtempSync(join(tmpdir(), 'ws-disk-'))
  done = []
})
afterEach(async () => {
  await watch.close()
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true })
})

/** Watches a disk of which `free` MiB are free, with a floor of 8. */
function begin(hold: () => Promise<void> = async () => void done.push('hold')) {
  watch = watchDisk({
    folder,
    floor: 8 * mebibyte,
    findFree: async () => free * mebibyte,
    everyMilliseconds: 5,
    hold,
    release: async () => void done.push('release'),
  })
}
const reserve = () => statSync(join(folder, 'reserve'), { throwIfNoEntry: false })
/** As many looks as tell that nothing more is done. */
async function afterSomeLooks() {
  const looks = vi.fn<() => void>()
  const timer = setInterval(looks, 10)
  await vi.waitUntil(() => looks.mock.calls.length > 10)
  clearInterval(timer)
}

test('games are stopped below the floor, once, and started when there is half as much again', async () => {
  free = 20
  begin()
  await vi.waitUntil(() => reserve()?.size === 2 * mebibyte)
  free = 7
  await vi.waitUntil(() => done.length === 1)
  free = 11
  await afterSomeLooks()
  expect(done).toEqual(['hold'])
  free = 12
  await vi.waitUntil(() => done.length === 2)
  expect(done).toEqual(['hold', 'release'])
})

test('the reserve takes real space, is given up when hardly any is left, and laid aside again', async () => {
  free = 20
  begin()
  await vi.waitUntil(() => reserve() !== undefined)
  expect((reserve()?.blocks ?? 0) * 512).toBeGreaterThanOrEqual(2 * mebibyte)
  free = 1
  await vi.waitUntil(() => reserve() === undefined)
  free = 20
  await vi.waitUntil(() => reserve() !== undefined)
  expect(done).toEqual(['hold', 'release'])
})

test('the reserve is given up also while games are still being stopped', async () => {
  free = 20
  let stopped = () => {}
  begin(() => new Promise((resolve) => (stopped = resolve)))
  await vi.waitUntil(() => reserve() !== undefined)
  free = 7
  await afterSomeLooks()
  free = 1
  await vi.waitUntil(() => reserve() === undefined)
  stopped()
})

test('what fails is tried again', async () => {
  free = 1
  begin(async () => {
    done.push('hold')
    if (done.length < 3) throw new Error('not yet')
  })
  await vi.waitUntil(() => done.length === 3)
  await afterSomeLooks()
  expect(done).toEqual(['hold', 'hold', 'hold'])
})
