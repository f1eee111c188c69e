/** Backups in storages of others: made, restored, let go and looked after, over each kind that there is. */
import { expect, test } from 'vitest'
import * as backups from '@wakestone/contract/servers/backups-routes'
import * as routes from '@wakestone/contract/servers/servers-routes'
import { checkRepository, forgetSnapshots, listSnapshots } from '../../apps/server/src/adapters/restic/restic.ts'
import * as repo from '../../apps/server/src/features/servers/backups/repo.ts'
import { resticOf, unlocked } from '../../apps/server/src/features/servers/backups/repository.ts'
import { drillBackup, lookAfterRepositories } from '../../apps/server/src/features/servers/backups/upkeep.ts'
import { startTestApi } from '../support/api.ts'
import { backupsOf } from '../support/backups.ts'
import { isUp, order, prepareArtifacts, startTestWorker, topUp, untilStatus } from '../support/servers.ts'
import {
  hasRestServer,
  hasSshd,
  openRestStorage,
  openS3Storage,
  openSftpStorage,
  type Storage,
} from '../support/storages.ts'

const kinds: [name: string, open: () => Promise<Storage>, isThere: boolean][] = [
  ['SFTP', openSftpStorage, hasSshd],
  ['a rest-server that only takes', openRestStorage, hasRestServer],
  ['S3', openS3Storage, true],
]
// Without a storage of its own the test would say nothing of it.
for (const [name, , isThere] of kinds) if (!isThere) console.warn(`${name} is missing on this machine`)

for (const [name, open, isThere] of kinds)
  test.runIf(isThere)(`over ${name}`, { timeout: 300_000 }, async () => {
    const storage = await open()
    const api = await startTestApi({ ...storage.env, LIMIT_MANUAL_BACKUPS: '0', LIMIT_BACKUP_RESTORES: '0' })
    const worker = await startTestWorker(api)
    try {
      await tryStorage(api, storage.env['BACKUP_APPEND_ONLY'] === '1')
    } finally {
      await worker.stop()
      await worker.removeAll()
      await api.close()
      await storage.close()
    }
  })

async function tryStorage(api: Awaited<ReturnType<typeof startTestApi>>, isAppendOnly: boolean): Promise<void> {
  const { engineVersion } = await prepareArtifacts(api)
  const owner = await api.signUp()
  const walletId = await topUp(api.context, owner, 5000)
  const { id } = await owner.call(routes.createServer, { body: order(walletId, engineVersion) })
  await untilStatus(owner, id, isUp)
  const { inVolume, backUp, restore, end, list } = backupsOf(api, owner, id)
  const deps = resticOf(api.context)
  const findRow = async () => (await repo.findRepository(api.context.db, id))!

  await inVolume('mkdir -p world && head -c 3000000 /dev/urandom > world/one.bin && sha256sum world/one.bin > sums')
  const first = await backUp('first')
  await inVolume('head -c 3000000 /dev/urandom > world/one.bin; echo later > later.txt')
  const second = await backUp('second')
  expect([first.incomplete, second.incomplete]).toEqual([false, false])
  expect(await end(await restore(first.id))).toMatchObject({ state: 'done', error: null })
  expect(await inVolume('sha256sum -c sums; ls later.txt 2>/dev/null || true')).toBe('world/one.bin: OK')
  await untilStatus(owner, id, isUp)
  await inVolume('rm world/one.bin')
  const some = await end(await restore(first.id, { paths: ['world/one.bin'], stop: true, safety: false }))
  expect(some).toMatchObject({ state: 'done', error: null })
  expect(await inVolume('sha256sum -c sums')).toBe('world/one.bin: OK')

  // One that is deleted goes once it can no longer be brought back, and gives its room back where that may be.
  const access = unlocked(api.context, await findRow())
  const before = await listSnapshots(deps, access)
  await owner.call(backups.deleteBackup, { params: { id, snapshotId: second.id } })
  await api.context.db
    .updateTable('backups')
    .set({ deleted_at: new Date(Date.now() - 30 * 86_400_000) })
    .where('id', '=', second.id)
    .execute()
  await lookAfterRepositories(api.context, AbortSignal.timeout(120_000))
  expect((await list()).map((one) => one.id)).not.toContain(second.id)
  const left = await listSnapshots(deps, access)
  expect(left.has(second.details.snapshot_id)).toBe(isAppendOnly)
  expect(left.size).toBe(isAppendOnly ? before.size : before.size - 1)
  if (isAppendOnly) await expect(forgetSnapshots(deps, access, [first.details.snapshot_id])).rejects.toThrow(/restic/)
  expect(await findRow()).toMatchObject({ prune_wanted: false, kept_at: expect.any(Date) })
  expect(Number((await findRow()).stored_bytes)).toBeGreaterThan(3_000_000)
  for (let part = 1; part <= 7; part++) await checkRepository(deps, access, { part })
  expect(await drillBackup(api.context, AbortSignal.timeout(60_000))).toMatchObject({ damaged_at: null })
  // No restore has left anything behind.
  expect(await inVolume('ls -A .transfers 2>/dev/null | grep restore || true')).toBe('')
}
