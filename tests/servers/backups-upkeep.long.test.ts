/** What backups need by and by: begun when they are due, given room back, read again, restored for a trial. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import * as backups from '@wakestone/contract/servers/backups-routes'
import { isOver } from '@wakestone/contract/servers/operations'
import * as processes from '@wakestone/contract/servers/operations-routes'
import * as routes from '@wakestone/contract/servers/servers-routes'
import { listSnapshots } from '../../apps/server/src/adapters/restic/restic.ts'
import * as repo from '../../apps/server/src/features/servers/backups/repo.ts'
import { resticOf, unlocked } from '../../apps/server/src/features/servers/backups/repository.ts'
import {
  beginDueBackups,
  drillBackup,
  lookAfterRepositories,
} from '../../apps/server/src/features/servers/backups/upkeep.ts'
import { type Caller, startTestApi, type TestApi } from '../support/api.ts'
import { isUp, order, prepareArtifacts, startTestWorker, topUp, untilStatus } from '../support/servers.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let api: TestApi
let worker: Awaited<ReturnType<typeof startTestWorker>>
let owner: Caller
let admin: Caller
let serverId: string
const signal = new AbortController().signal
const hour = 3_600_000

beforeAll(async () => {
  api = await startTestApi({ LIMIT_MANUAL_BACKUPS: '0' })
  worker = await startTestWorker(api)
  const { engineVersion } = await prepareArtifacts(api)
  owner = await api.signUp()
  admin = await api.signUp({ admin: true })
  const walletId = await topUp(api.context, owner, 5000)
  serverId = (await owner.call(routes.createServer, { body: order(walletId, engineVersion) })).id
  await untilStatus(owner, serverId, isUp)
})
afterAll(async () => {
  await worker?.stop()
  await worker?.removeAll()
  await api?.close()
})

const list = () => owner.call(backups.listBackups, { params: { id: serverId } })
async function untilIdle(): Promise<void> {
  for (const deadline = Date.now() + 60_000; ; await delay(50)) {
    const all = await owner.call(processes.listProcesses, { params: { id: serverId } })
    if (all.every(({ state }) => isOver(state))) return
    if (Date.now() > deadline) throw new Error(`not in time: ${JSON.stringify(all)}`)
  }
}
const repository = async () => (await repo.findRepository(api.context.db, serverId))!
const snapshots = async () => {
  const row = await repository()
  return listSnapshots(resticOf(api.context), unlocked(api.context, row))
}

test('an automatic one is begun when its time has come, and again when the game has run since', async () => {
  await beginDueBackups(api.context, new Date())
  await untilIdle()
  expect(await list()).toEqual([])
  await beginDueBackups(api.context, new Date(Date.now() + 12.1 * hour))
  await untilIdle()
  expect(await list()).toMatchObject([{ kind: 'auto', cause: 'plan', executor: null }])
  // It has been backed up just now.
  await beginDueBackups(api.context, new Date(Date.now() + 11.9 * hour))
  await untilIdle()
  expect(await list()).toHaveLength(1)
  await owner.call(routes.stopServer, { params: { id: serverId }, query: {} })
  await untilStatus(owner, serverId, ({ game_status }) => game_status === 'IRL_TERMINATED')
  await beginDueBackups(api.context, new Date(Date.now() + 12.1 * hour))
  await untilIdle()
  const made = (await list()).length
  // Nobody has played since.
  await beginDueBackups(api.context, new Date(Date.now() + 25 * hour))
  await untilIdle()
  expect((await list()).length).toBe(made)
})

test('room comes back at night, a part of the data is read, and one is restored for a trial', async () => {
  const begun = await owner.call(backups.createBackup, { params: { id: serverId }, body: { name: 'soon gone' } })
  await untilIdle()
  expect((await list())[0]).toMatchObject({ name: 'soon gone' })
  const [{ id } = { id: '' }] = await list()
  await owner.call(backups.deleteBackup, { params: { id: serverId, snapshotId: id } })
  const before = (await snapshots()).size
  await api.context.db
    .updateTable('backups')
    .set({ deleted_at: new Date(Date.now() - 8 * 24 * hour) })
    .where('operation_id', '=', begun.id)
    .execute()
  await lookAfterRepositories(api.context, signal)
  expect((await snapshots()).size).toBe(before - 1)
  expect((await list()).map((backup) => backup.id)).not.toContain(id)
  expect(await repository()).toMatchObject({ read_part: 1, prune_wanted: false, kept_until: null })
  const { stored_bytes } = await owner.call(backups.getBackupPlan, { params: { id: serverId } })
  expect(stored_bytes).toBeGreaterThan(0)
  // Looked after once a night.
  const { kept_at } = await repository()
  await lookAfterRepositories(api.context, signal)
  expect((await repository()).kept_at).toEqual(kept_at)

  expect(await drillBackup(api.context, signal)).toBeDefined()
  expect((await repository()).drilled_at).not.toBeNull()
})

test('one that is damaged is found in the trial: it cannot be restored, and administrators are told', async () => {
  const { location } = await repository()
  for (const folder of readdirSync(join(location, 'data')))
    for (const name of readdirSync(join(location, 'data', folder))) {
      const path = join(location, 'data', folder, name)
      const bytes = readFileSync(path)
      bytes.fill(7, 0, Math.min(bytes.length, 4096))
      writeFileSync(path, bytes)
    }
  const drilled = await drillBackup(api.context, signal)
  const damaged = (await list()).find(({ id }) => id === drilled?.id)
  expect(damaged?.cannot_be_restored).toBe(true)
  const told = await api.context.db
    .selectFrom('notifications')
    .select(['user_id', 'kind'])
    .where('kind', '=', 'BACKUP_DAMAGED')
    .execute()
  expect(told).toEqual([{ user_id: admin.user.id, kind: 'BACKUP_DAMAGED' }])
})
