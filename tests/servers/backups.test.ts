/** Backups through the front door: a real game in its sandbox, restic in boxes beside it. */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import * as backups from '@wakestone/contract/servers/backups-routes'
import type { Operation } from '@wakestone/contract/servers/operations'
import * as routes from '@wakestone/contract/servers/servers-routes'
import { provideRestic } from '../../apps/server/src/adapters/restic/program.ts'
import { type Caller, startTestApi, type TestApi } from '../support/api.ts'
import { type BackupsOf, backupsOf } from '../support/backups.ts'
import { outcomeOf, refusalOf } from '../support/outcome.ts'
import { isUp, order, prepareArtifacts, startTestWorker, topUp, untilStatus } from '../support/servers.ts'
import { isLong } from '../support/long.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 })

let api: TestApi
let worker: Awaited<ReturnType<typeof startTestWorker>>
let owner: Caller
let serverId: string
let tools: BackupsOf
const inVolume = (script: string) => tools.inVolume(script)
const end = (operation: Operation) => tools.end(operation)
const list = () => tools.list()
const backUp = () => tools.backUp()
const restore: BackupsOf['restore'] = (snapshotId, body) => tools.restore(snapshotId, body)

beforeAll(async () => {
  api = await startTestApi({ LIMIT_MANUAL_BACKUPS: '0', LIMIT_BACKUP_RESTORES: '0' })
  worker = await startTestWorker(api)
  const { engineVersion } = await prepareArtifacts(api)
  owner = await api.signUp()
  const walletId = await topUp(api.context, owner, 5000)
  serverId = (await owner.call(routes.createServer, { body: order(walletId, engineVersion) })).id
  tools = backupsOf(api, owner, serverId)
  await untilStatus(owner, serverId, isUp)
})
afterAll(async () => {
  await worker?.stop()
  await worker?.removeAll()
  await api?.close()
})

const params = () => ({ id: serverId })
test('a running server is backed up, its world written before and left alone meanwhile', async () => {
  await inVolume('mkdir -p plugins && echo one > plugins/config.yml && echo one > world.txt')
  expect(await list()).toEqual([])
  expect(await outcomeOf(owner.call(backups.tellBackupKey, { params: params() }))).toBe('no_server_backup_repo_found')
  const begun = await owner.call(backups.createBackup, { params: params(), body: { name: 'before the feast' } })
  expect(begun).toMatchObject({ kind: 'backup', about: { name: 'before the feast' } })
  expect(await refusalOf(owner.call(backups.createBackup, { params: params(), body: {} }))).toMatchObject({
    error: 'server_has_running_backup',
    fields: { process_id: begun.id },
  })
  expect(await end(begun)).toMatchObject({ state: 'done' })
  const [backup, ...others] = await list()
  expect(others).toEqual([])
  expect(backup).toMatchObject({
    kind: 'manual',
    name: 'before the feast',
    cannot_be_restored: false,
    incomplete: false,
    executor: { id: owner.user.id },
    details: { message_type: 'summary' },
  })
  expect(backup?.verified_at).not.toBeNull()
  expect(backup?.details.total_files_processed).toBeGreaterThan(1)
  const { data } = await owner.call(routes.listServerEvents, { params: params(), query: { action: 'SERVER_BACKUP' } })
  expect(data[0]).toMatchObject({ success: true, data: { backup_id: backup?.id, cause: 'asked' } })
  // It was held only while it was read.
  expect(await (await api.context.fleet.find(serverId))?.status()).toMatchObject({ phase: 'running', world: 'none' })
})

test('all is restored as it was, and what came since is a backup of its own', async () => {
  const [first] = await list()
  await inVolume('echo two > world.txt; echo later > later.txt; rm plugins/config.yml')
  const ended = await end(await restore(first!.id))
  expect(ended).toMatchObject({ state: 'done', kind: 'backup_restore' })
  expect(
    await inVolume('cat world.txt plugins/config.yml; ls -A . .transfers | grep -e later -e restore || true'),
  ).toBe('one\none')
  const [safety] = await list()
  expect(safety).toMatchObject({ kind: 'safety', cause: 'restore' })
  expect(Date.parse(safety!.removed_at!) - Date.parse(safety!.created_at)).toBe(7 * 86_400_000)
  await untilStatus(owner, serverId, isUp)
  expect(safety!.undoes).toBe(ended.id)
  if (!isLong) return
  const undone = await owner.call(backups.undoRestore, {
    params: { ...params(), process_id: ended.id },
    body: { safety: false },
  })
  expect(await end(undone)).toMatchObject({ state: 'done', kind: 'backup_restore', about: { undo: true } })
  expect(await inVolume('cat world.txt later.txt')).toBe('two\nlater')
  await untilStatus(owner, serverId, isUp)
})

test.runIf(isLong)(
  'what a restore of some files brought goes again when it is taken back, and nothing else changes',
  async () => {
    const id = '069a79f4-44e9-4726-a5be-fca90e38aaf5'
    await inVolume(`mkdir -p hall/playerdata hall_nether/DIM-1/region; echo 1 > hall/level.dat
    echo then > hall/playerdata/${id}.dat; echo n > hall_nether/DIM-1/region/r.0.0.mca`)
    const backup = await backUp()
    const one = { ...params(), snapshotId: backup.id }
    const worlds = await owner.call(backups.listBackupWorlds, { params: one })
    const hall = worlds.find(({ folder }) => folder === 'hall')!
    expect(hall.paths).toEqual(['hall', 'hall_nether'])
    const ofPlayer = await owner.call(backups.findBackupPlayer, { params: { ...one, player_id: id } })
    expect(ofPlayer).toEqual({ paths: [`hall/playerdata/${id}.dat`], bytes: 5 })
    await inVolume(`echo now > hall/playerdata/${id}.dat; rm -r hall_nether; echo later > elsewhere.txt`)
    const taken = await end(await restore(backup.id, { paths: hall.paths, stop: true }))
    expect(taken).toMatchObject({ state: 'done' })
    expect(await inVolume(`cat hall/playerdata/${id}.dat elsewhere.txt; ls hall_nether`)).toBe('then\nlater\nDIM-1')
    await inVolume('echo latest > elsewhere.txt')
    const undo = () =>
      owner.call(backups.undoRestore, { params: { ...params(), process_id: taken.id }, body: { stop: true } })
    expect(await end(await undo())).toMatchObject({ state: 'done' })
    expect(await inVolume(`cat hall/playerdata/${id}.dat elsewhere.txt; ls -d hall_nether 2>/dev/null || true`)).toBe(
      'now\nlatest',
    )
    const none = owner.call(backups.undoRestore, { params: { ...params(), process_id: backup.id }, body: {} })
    expect(await outcomeOf(none)).toBe('process_not_found')
    await inVolume('rm -r hall elsewhere.txt')
    // The tests after this one count those that are left.
    await api.context.database.pool.query('update backups set forgotten_at = now() where id = $1', [backup.id])
    await untilStatus(owner, serverId, isUp)
  },
)

test.runIf(isLong)(
  'a backup is looked into, compared, and single files are taken out of it while the game runs',
  async () => {
    const first = (await list()).find(({ kind }) => kind === 'manual')!
    const one = { id: serverId, snapshotId: first.id }
    const root = await owner.call(backups.listBackupFiles, { params: one, query: {} })
    expect(root.entries.map(({ name }) => name)).toEqual(expect.arrayContaining(['plugins', 'world.txt']))
    expect(root.entries.map(({ name }) => name)).not.toContain('.wakestone')
    expect(root.entries[0]?.type).toBe('folder')
    const { entries } = await owner.call(backups.listBackupFiles, { params: one, query: { path: 'plugins' } })
    expect(entries).toMatchObject([{ name: 'config.yml', type: 'file', size: 4 }])
    const outcome = await outcomeOf(owner.call(backups.listBackupFiles, { params: one, query: { path: 'nowhere' } }))
    expect(outcome).toBe('file_does_not_exist')

    const changes = await owner.call(backups.compareBackup, { params: one, query: {} })
    expect(changes.changes).toContainEqual({ path: 'plugins/config.yml', kind: 'removed', size: 4 })
    expect(changes.changes).toContainEqual({ path: 'later.txt', kind: 'added', size: 6 })
    expect(changes.changes.find(({ path }) => path === 'world.txt')?.kind).toBe('changed')

    const status = await owner.call(routes.getServerStatus, { params: params() })
    const retrieved = await end(await restore(first.id, { paths: ['plugins/config.yml'], safety: false }))
    expect(retrieved).toMatchObject({ state: 'done', kind: 'backup_retrieve' })
    expect(await inVolume('cat plugins/config.yml world.txt')).toBe('one\ntwo')
    expect((await owner.call(routes.getServerStatus, { params: params() })).launched).toBe(status.launched)

    const path = `/api/v1/servers/${serverId}/backups/${first.id}/content`
    const headers = { cookie: owner.cookie() }
    const file = await fetch(`${api.origin}${path}?path=plugins/config.yml`, { headers })
    expect([file.status, await file.text()]).toEqual([200, 'one\n'])
    expect(file.headers.get('content-disposition')).toContain('config.yml')
    const folder = await fetch(`${api.origin}${path}?path=plugins`, { headers })
    expect(
      Buffer.from(await folder.arrayBuffer())
        .subarray(0, 2)
        .toString(),
    ).toBe('PK')
    expect((await fetch(`${api.origin}${path}?path=../x`, { headers })).status).toBe(400)
  },
)

test.runIf(isLong)('its owner, and nobody else, is told what opens it; it opens anywhere', async () => {
  const { repository, password, commands } = await owner.call(backups.tellBackupKey, { params: params() })
  expect(commands.join('\n')).toContain('restore latest')
  const stored = JSON.stringify(await api.context.db.selectFrom('backup_repositories').selectAll().execute())
  expect(stored).not.toContain(password)
  const program = await provideRestic(api.context.settings)
  const target = mkdtempSync(join(tmpdir(), 'ws-foreign-'))
  try {
    // As on another machine: nothing but restic, the password, and a copy of the folder.
    const copy = join(target, 'copy')
    cpSync(repository, copy, { recursive: true })
    const env = { RESTIC_PASSWORD: password, HOME: target }
    const restic = (...args: string[]) =>
      execFileSync(program, ['-r', copy, '--no-cache', ...args], { env, cwd: target })
    restic('check', '--read-data')
    const { details } = (await list()).find(({ kind }) => kind === 'manual')!
    restic('restore', details.snapshot_id, '--target', join(target, 'out'))
    expect(readFileSync(join(target, 'out', 'world.txt'), 'utf8')).toBe('one\n')
    expect(readFileSync(join(target, 'out', 'plugins/config.yml'), 'utf8')).toBe('one\n')
  } finally {
    rmSync(target, { recursive: true, force: true })
  }
})

test.runIf(isLong)(
  'only those made by hand are deleted; they come back for a week; so many are kept and no more',
  async () => {
    const all = await list()
    const safety = all.find(({ kind }) => kind === 'safety')!
    const manual = all.find(({ kind }) => kind === 'manual')!
    const refused = await outcomeOf(
      owner.call(backups.deleteBackup, { params: { id: serverId, snapshotId: safety.id } }),
    )
    expect(refused).toBe('only_manual_backups_can_be_deleted')
    const one = { params: { id: serverId, snapshotId: manual.id } }
    const deleted = await owner.call(backups.deleteBackup, one)
    expect(deleted.deleted_at).toBeDefined()
    expect(await outcomeOf(owner.call(backups.changeBackup, { ...one, body: { pinned: true } }))).toBe('backup_deleted')
    expect((await owner.call(backups.bringBackBackup, one)).deleted_at).toBeUndefined()
    expect(await owner.call(backups.changeBackup, { ...one, body: { name: 'kept', pinned: true } })).toMatchObject({
      name: 'kept',
      pinned: true,
    })
    const { rule, manual_count } = await owner.call(backups.getBackupPlan, { params: params() })
    expect(rule).toMatchObject({ manual: 3, every_hours: 12 })
    for (let count = manual_count; count < 3; count++) await backUp()
    expect(await refusalOf(owner.call(backups.createBackup, { params: params(), body: {} }))).toMatchObject({
      error: 'too_many_requests',
      fields: { resource: 'manual_backups_count', limit: 3 },
    })
  },
)
