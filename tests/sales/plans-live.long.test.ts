/** A plan that changes reaches the sandbox of its server: with the next start of the game, and not before. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as billings from '@wakestone/contract/sales/billings-routes'
import { createServer, getServer, listServerEvents, restartServer } from '@wakestone/contract/servers/servers-routes'
import { type Caller, startTestApi, type TestApi } from '../support/api.ts'
import { isUp, order, prepareArtifacts, startTestWorker, topUp, untilStatus } from '../support/servers.ts'

const gibibyte = 1024 ** 3

let api: TestApi
let owner: Caller
let worker: Awaited<ReturnType<typeof startTestWorker>>
let engineVersion: string

beforeAll(async () => {
  api = await startTestApi()
  ;({ engineVersion } = await prepareArtifacts(api))
  owner = await api.signUp()
  worker = await startTestWorker(api)
}, 120_000)
afterAll(async () => {
  await worker?.stop()
  await worker?.removeAll()
  await api?.close()
})

/** With which limits the server's supervisor was started. */
function placedLimits(serverId: string) {
  const { limits } = JSON.parse(readFileSync(join(api.dataDir, 'servers', serverId, 'host/config.json'), 'utf8')) as {
    limits: { memoryBytes: number; cpu: number; diskBytes: number }
  }
  return limits
}

test('more memory and storage come with the next start, cores with the next plan', { timeout: 240_000 }, async () => {
  const walletId = await topUp(api.context, owner, 50_000)
  const server = await owner.call(createServer, { body: order(walletId, engineVersion) })
  const params = { id: server.service_id }
  const see = async () => (await owner.call(getServer, { params: { id: server.id } })).parameters
  await untilStatus(owner, server.id, isUp, 120_000)
  expect(placedLimits(server.id)).toMatchObject({ memoryBytes: 2 * gibibyte, cpu: 1 })
  expect((await see()).limits_pending).toBe(false)

  for (const product_id of ['EXTRA_MEMORY_2G', 'EXTRA_STORAGE_10G'])
    await owner.call(billings.addServiceAddOn, { params, body: { product_id, wallet_id: walletId } })
  expect(await see()).toMatchObject({
    limits: { memory: 4 * gibibyte, storage: 20 * gibibyte, cpu: 1 },
    limits_pending: true,
  })
  expect(placedLimits(server.id).memoryBytes).toBe(2 * gibibyte)
  const launched = (await untilStatus(owner, server.id, isUp)).launched
  await owner.call(restartServer, { params: { id: server.id } })
  await untilStatus(owner, server.id, (status) => isUp(status) && status.launched !== launched, 120_000)
  expect(placedLimits(server.id)).toMatchObject({ memoryBytes: 4 * gibibyte, diskBytes: 20 * gibibyte })
  expect((await see()).limits_pending).toBe(false)

  await owner.call(billings.upgradeService, { params, body: { product_id: 'AMETHYST', wallet_id: walletId } })
  const again = (await untilStatus(owner, server.id, isUp)).launched
  await owner.call(restartServer, { params: { id: server.id } })
  await untilStatus(owner, server.id, (status) => isUp(status) && status.launched !== again, 120_000)
  expect(placedLimits(server.id)).toMatchObject({ memoryBytes: 8 * gibibyte, cpu: 3, diskBytes: 40 * gibibyte })
  const events = await owner.call(listServerEvents, { params: { id: server.id } })
  expect(events.data.map(({ action }) => action)).not.toContain('SERVER_POD_CRASHED')
})
