/** A worker is killed just after it has taken a workload away: what is told of it is what happened, and no crash. */
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import * as routes from '@wakestone/contract/servers/servers-routes'
import type { Cluster } from '../../apps/server/src/adapters/clusters/cluster.ts'
import { type Caller, startTestApi, type TestApi } from '../support/api.ts'
import { createProgramCluster, type ProgramCluster } from '../support/program-cluster.ts'
import { isDown, isUp, order, prepareArtifacts, startTestWorker, topUp, untilStatus } from '../support/servers.ts'
import { isLong } from '../support/long.ts'

vi.setConfig({ testTimeout: 60_000 })

let cluster: ProgramCluster
let api: TestApi
let worker: Awaited<ReturnType<typeof startTestWorker>>
let owner: Caller
let id: string
/** The next workload is taken away by a worker that dies over it. */
let isDying = false

function openCluster(publicKey: string): Cluster {
  cluster = createProgramCluster(publicKey)
  cluster.use(join(import.meta.dirname, '../../apps/supervisor/src/main.ts'))
  return {
    ...cluster,
    async remove(serverId, options) {
      await cluster.remove(serverId, options)
      if (!isDying) return
      isDying = false
      throw new Error('the worker is dead')
    },
  }
}

beforeAll(async () => {
  api = await startTestApi({ SLEEP_MINUTES_AFTER_START: '0', WORKLOAD_LINGER_SECONDS: '3' }, { openCluster })
  const { engineVersion } = await prepareArtifacts(api)
  worker = await startTestWorker(api)
  owner = await api.signUp()
  id = (await owner.call(routes.createServer, { body: order(await topUp(api.context, owner, 5000), engineVersion) })).id
  await untilStatus(owner, id, isUp)
}, 120_000)
afterAll(async () => {
  await worker?.stop()
  cluster?.close()
  await api?.close()
})

const setLimits = (path: string, value: unknown) =>
  sql`update servers set limits = jsonb_set(limits::jsonb, ${path}::text[], ${JSON.stringify(value)}::jsonb)
    where id = ${id}`.execute(api.context.db)
const causes = async () => {
  const { data } = await owner.call(routes.listServerEvents, { params: { id }, query: { limit: 100 } })
  expect(data.map(({ action }) => action)).not.toContain('SERVER_POD_CRASHED')
  return data.flatMap((event) =>
    event.action === 'SERVER_POD_DELETED' ? [(event.data as { cause: string }).cause] : [],
  )
}
/** @returns why its workload was taken away, as told since. */
async function takenAway(act: () => Promise<unknown>): Promise<string[]> {
  const before = (await causes()).length
  isDying = true
  await act()
  await vi.waitFor(async () => expect((await causes()).length).toBeGreaterThan(before), { timeout: 30_000 })
  expect(isDying).toBe(false)
  return (await causes()).slice(0, -before || undefined)
}

test.runIf(isLong)('one that sleeps deepest', async () => {
  const asleep = { light: null, deep: 0.005, hibernate: 0.01 }
  expect(await takenAway(() => setLimits('{sleep}', asleep))).toEqual(['sleep'])
  await untilStatus(owner, id, ({ game_status, pod_name }) => game_status === 'IRL_HIBERNATED' && pod_name === null)
  await setLimits('{sleep}', { light: null, deep: null, hibernate: null })
  await owner.call(routes.startServer, { params: { id } })
  await untilStatus(owner, id, isUp)
})

test.runIf(isLong)('one that is placed with other limits', async () => {
  await owner.call(routes.stopServer, { params: { id } })
  expect(await takenAway(() => setLimits('{players}', 7))).toEqual(['plan'])
  await owner.call(routes.startServer, { params: { id } })
  await untilStatus(owner, id, isUp)
})

test('one that nobody uses', async () => {
  expect(await takenAway(() => owner.call(routes.stopServer, { params: { id } }))).toEqual(['unused'])
  await untilStatus(owner, id, (status) => isDown(status) && status.pod_name === null)
})
