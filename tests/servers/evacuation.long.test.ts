/** A cluster is emptied for real: its servers are elsewhere in the end, those that were up are up again. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import * as clusters from '@wakestone/contract/admin/clusters-routes'
import * as evacuations from '@wakestone/contract/admin/evacuations-routes'
import * as routes from '@wakestone/contract/servers/servers-routes'
import { beginEvacuations, type EvacuationWork } from '../../apps/server/src/features/admin/evacuations/jobs.ts'
import { type Caller, startTestApi, type TestApi } from '../support/api.ts'
import { isDown, isUp, order, prepareArtifacts, startTestWorker, topUp, untilStatus } from '../support/servers.ts'

vi.setConfig({ testTimeout: 600_000, hookTimeout: 180_000 })

let api: TestApi
let worker: Awaited<ReturnType<typeof startTestWorker>>
let work: EvacuationWork
let owner: Caller
let admin: Caller
let ids: string[]

beforeAll(async () => {
  api = await startTestApi({ LIMIT_POWER: '0', MOVE_WARNING_SECONDS: '0', WORKLOAD_LINGER_SECONDS: '1' })
  const { engineVersion } = await prepareArtifacts(api)
  ;[owner, admin] = [await api.signUp(), await api.signUp({ admin: true })]
  const walletId = await topUp(api.context, owner, 20_000)
  worker = await startTestWorker(api)
  work = beginEvacuations(worker.context)
  ids = []
  for (let count = 0; count < 3; count++)
    ids.push((await owner.call(routes.createServer, { body: order(walletId, engineVersion) })).id)
  const body = { id: 'attic', name: 'Attic', country_code: 'PL', visible_permission: null, free_places: null }
  await admin.call(clusters.createCluster, { body: { ...body, zone_name: 'attic.example.test', prices_of: 'local' } })
  await admin.call(clusters.changeCluster, { params: { clusterId: 'attic' }, body: { disabled: false } })
  for (const id of ids) await untilStatus(owner, id, isUp, 120_000)
})
afterAll(async () => {
  await work?.close()
  await worker?.stop()
  await worker?.removeAll()
  await api?.close()
})

test('all servers of a cluster go elsewhere; one that was off stays off', async () => {
  const off = ids[0]!
  await owner.call(routes.stopServer, { params: { id: off }, query: {} })
  await untilStatus(owner, off, isDown)
  const params = { clusterId: 'local' }
  await admin.call(evacuations.beginEvacuation, { params, body: { reason: 'A disk is failing' } })
  const look = async () => (await admin.call(evacuations.getEvacuation, { params })).evacuation
  await vi.waitFor(async () => expect((await look())?.state).toBe('done'), { timeout: 480_000, interval: 500 })
  const ended = await look()
  expect(ended?.servers.map(({ state }) => state)).toEqual(['moved', 'moved', 'moved'])
  expect(ended?.servers[0]).toMatchObject({ server_id: off, down_seconds: null })
  for (const { server_id, down_seconds } of ended?.servers.slice(1) ?? []) {
    expect(down_seconds).toBeGreaterThan(0)
    await untilStatus(owner, server_id, isUp)
  }
  await untilStatus(owner, off, isDown)
  for (const id of ids) {
    expect((await owner.call(routes.getServer, { params: { id } })).cluster_id).toBe('attic')
    expect(existsSync(join(api.dataDir, 'servers', id))).toBe(false)
  }
})
