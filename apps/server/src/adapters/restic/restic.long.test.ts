/** The real restic, in plain processes: what it answers is read, and what it restores is what was there. */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { readSettings } from '@wakestone/kit/settings'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { createLocalTasks } from '../../../../../tests/support/local-tasks.ts'
import { provideRestic } from './program.ts'
import * as restic from './restic.ts'
import * as volumeWork from './volume.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'ws-restic-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))
const settings = readSettings({ DATA_DIR: dataDir, NODE_ENV: 'test' })
const tasks = createLocalTasks((serverId) => join(dataDir, 'volumes', serverId))
const deps = { cluster: tasks, settings }

let count = 0
let repository: restic.Repository
let volume: string
const write = (path: string, text: string) => {
  mkdirSync(dirname(join(volume, path)), { recursive: true })
  writeFileSync(join(volume, path), text)
}
const read = (path: string) => readFileSync(join(volume, path), 'utf8')
beforeEach(async () => {
  const serverId = `00000000-0000-4000-8000-${String(++count).padStart(12, '0')}`
  repository = { serverId, location: restic.locationFor(settings, serverId), password: 'a secret' }
  volume = join(dataDir, 'volumes', serverId)
  await restic.initRepository(deps, repository)
})
async function snapshot(tag = 'one', skipsUnchanged = false) {
  const made = await restic.makeSnapshot(deps, repository, { tags: [tag], skipsUnchanged })
  if (made === 'unchanged') throw new Error('nothing has changed')
  return made
}

test('makes snapshots, finds them by their tags, and leaves out what is not the customer’s', async () => {
  write('world/level.dat', 'one')
  write('plugins/x/cache/kept.txt', 'kept')
  for (const path of ['.wakestone/x', '.trash/x', '.transfers/x', 'cache/x']) write(path, 'left out')
  const { details, incomplete } = await snapshot('operation:1')
  expect(details).toMatchObject({ files_new: 2, total_files_processed: 2, total_bytes_processed: 7 })
  expect(incomplete).toBe(false)
  expect(await restic.findSnapshots(deps, repository, 'operation:1')).toEqual([details.snapshot_id])
  expect(await restic.findSnapshots(deps, repository, 'operation:2')).toEqual([])
  expect(await restic.makeSnapshot(deps, repository, { tags: [], skipsUnchanged: true })).toBe('unchanged')
  await restic.initRepository(deps, repository)
  await restic.checkRepository(deps, repository, { part: 1 })
  expect(await restic.measureRepository(deps, repository)).toBeGreaterThan(100)
  const listing = await volumeWork.listSnapshotFiles(deps, repository, details.snapshot_id)
  expect(listing.truncated).toBe(false)
  expect(
    [...listing.folders].flatMap(([folder, entries]) => entries.map(([name]) => `${folder}/${name}`)).sort(),
  ).toEqual(['/plugins', '/world', 'plugins/x', 'plugins/x/cache', 'plugins/x/cache/kept.txt', 'world/level.dat'])
  expect((await volumeWork.listVolume(deps, repository)).folders).toEqual(listing.folders)
})

test('stages all files and puts them in place, also when cut off and asked for again; and takes that back', async () => {
  write('world/level.dat', 'one')
  write('server.properties', 'a=1')
  const { details } = await snapshot()
  write('world/level.dat', 'two')
  write('world/new.dat', 'new')
  write('later.txt', 'later')
  write('.trash/kept', 'kept')
  rmSync(join(volume, 'server.properties'))
  const folder = '.transfers/restore/op'
  const stage = () =>
    restic.restoreSnapshot(deps, repository, { snapshot: details.snapshot_id, target: `${folder}/staged`, paths: null })
  await stage()
  await stage()
  const replace = () => volumeWork.replaceFiles(deps, repository, { folder, paths: null })
  await replace()
  await replace()
  expect(read('world/level.dat')).toBe('one')
  expect(read('server.properties')).toBe('a=1')
  expect(readdirSync(volume).sort()).toEqual(['.transfers', '.trash', 'server.properties', 'world'])
  expect(readdirSync(join(volume, 'world'))).toEqual(['level.dat'])
  for (let time = 0; time < 2; time++) {
    await volumeWork.putFilesBack(deps, repository, { folder, paths: null })
    expect(read('world/level.dat')).toBe('two')
    expect(read('later.txt')).toBe('later')
    expect(existsSync(join(volume, 'server.properties'))).toBe(false)
  }
  await replace()
  expect(read('world/level.dat')).toBe('one')
  await volumeWork.removeFolder(deps, repository, folder)
  expect(readdirSync(join(volume, '.transfers'))).toEqual([])
})

test('restores in place, where there is no room beside it', async () => {
  write('world/level.dat', 'one')
  const { details } = await snapshot()
  write('world/level.dat', 'changed')
  write('later.txt', 'later')
  write('.trash/kept', 'kept')
  await restic.restoreSnapshot(deps, repository, { snapshot: details.snapshot_id, target: '', paths: null })
  expect(read('world/level.dat')).toBe('one')
  expect(readdirSync(volume).sort()).toEqual(['.trash', 'world'])
})

test('takes single files out, whatever they are called', async () => {
  const names = ['a*b.txt', 'a[1].txt', 'plain.txt', 'back\\slash', 'Ünïcode ☃.txt', '!no', '$HOME']
  for (const name of names) write(`plugins/${name}`, name)
  const { details } = await snapshot()
  for (const name of names) {
    const target = `.transfers/restore/${names.indexOf(name)}/staged`
    const paths = [`plugins/${name}`]
    await restic.restoreSnapshot(deps, repository, { snapshot: details.snapshot_id, target, paths })
    expect(readdirSync(join(volume, target, 'plugins'))).toEqual([name])
  }
}, 30_000)

test('tells a wrong password, a missing repository, a lock, and files that cannot be read', async () => {
  write('readable', 'x')
  await expect(restic.listSnapshots(deps, { ...repository, password: 'wrong' })).rejects.toMatchObject({
    fault: 'password',
  })
  const missing = { ...repository, location: `${repository.location}-none` }
  await expect(restic.listSnapshots(deps, missing)).rejects.toMatchObject({ fault: 'missing' })

  // One that nobody holds any more, as of a process that was killed.
  const first = await snapshot()
  const program = await provideRestic(settings)
  const env = { ...process.env, RESTIC_REPOSITORY: repository.location, RESTIC_PASSWORD: repository.password }
  expect(await restic.findYoungestLock(deps, repository)).toBeUndefined()
  execFileSync('/bin/sh', ['-c', `"${program}" forget --no-cache --dry-run latest >/dev/null`], { env })
  expect(first.incomplete).toBe(false)

  symlinkSync('/nowhere', join(volume, 'link'))
  if (process.getuid?.() !== 0) {
    write('secret', 'x')
    chmodSync(join(volume, 'secret'), 0)
    const made = await snapshot('two')
    expect(made.incomplete).toBe(true)
    expect(made.fileErrors.join()).toContain('secret')
  }
})

test('the program may be run but not read, so that nobody looks into its process', async () => {
  const program = await provideRestic(settings)
  if (process.getuid?.() !== 0) expect(() => readFileSync(program)).toThrow(/EACCES/)
  await expect(provideRestic({ ...settings, RESTIC_PATH: '/nowhere/restic' })).rejects.toThrow(/not found/)
  const old = join(dataDir, 'old-restic')
  writeFileSync(old, '#!/bin/sh\necho "restic 0.14.0 compiled"\n', { mode: 0o755 })
  await expect(provideRestic({ ...settings, RESTIC_PATH: old })).rejects.toThrow(/0\.14\.0.*0\.17/)
})
