/** What is kept of a server that has been played on for a while: backups by hand and by the panel, and a map of its worlds. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createBackup, listBackups, restoreBackup } from '@wakestone/contract/servers/backups-routes'
import { drawMap, getMapState } from '@wakestone/contract/servers/mapview-routes'
import { isOver } from '@wakestone/contract/servers/operations'
import { listProcesses } from '@wakestone/contract/servers/operations-routes'
import type { createCookieClient } from '../../tests/support/api.ts'
import { until } from './payments.ts'

const regions = join(import.meta.dirname, '../../tests/fixtures/regions')

/** @returns the backup whose changes are shown */
export async function setKept(
  { call, cookie }: ReturnType<typeof createCookieClient>,
  origin: string,
  serverId: string,
): Promise<{ backupId: string }> {
  const params = { id: serverId }
  const write = async (path: string, body: Uint8Array<ArrayBuffer> | string) => {
    const answer = await fetch(`${origin}/api/v1/servers/${serverId}/files/content?${new URLSearchParams({ path })}`, {
      method: 'PUT',
      headers: { cookie: cookie(), 'content-type': 'application/octet-stream' },
      body,
    })
    if (!answer.ok) throw new Error(`${path} cannot be saved: ${await answer.text()}`)
  }
  const work = async (name: string, begin: () => Promise<unknown>) => {
    await begin()
    await until(name, async () => (await call(listProcesses, { params })).every(({ state }) => isOver(state)))
  }
  await write('world/region/r.0.0.mca', new Uint8Array(readFileSync(join(regions, '1.21.1/r.0.0.mca'))))
  await work('a backup', () => call(createBackup, { params, body: { name: 'Przed ucztą', pinned: true } }))
  const kept = (await call(listBackups, { params }))[0]!
  await write('bukkit.yml', 'settings:\n  allow-end: false\n')
  // What is there now is backed up before.
  const one = { ...params, snapshotId: kept.id }
  await work('a restored file', () => call(restoreBackup, { params: one, body: { paths: ['spigot.yml'] } }))
  await write('plugins/Essentials/bridge.yml', 'colour: red\n')
  await call(drawMap, { params })
  await until('a map', async () => (await call(getMapState, { params })).drawn_at !== null)
  return { backupId: kept.id }
}
