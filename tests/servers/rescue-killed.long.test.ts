/**
 * Rescues of a server whose machine is lost, while they are cancelled, while that machine comes back, and while the worker is
 * killed in each phase.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import * as migration from '@wakestone/contract/servers/migration-routes'
import { isOver, type Operation, operationPhases } from '@wakestone/contract/servers/operations'
import * as processes from '@wakestone/contract/servers/operations-routes'
import * as routes from '@wakestone/contract/servers/servers-routes'
import { makeJoinToken, openAgentCluster, startAgentProcess } from '../support/agents.ts'
import { type Caller, startTestApi, type TestApi } from '../support/api.ts'
import { backupsOf } from '../support/backups.ts'
import { createRandom, seedOf } from '../support/random.ts'
import { isUp, order, prepareArtifacts, topUp, untilStatus } from '../support/servers.ts'
import { startWorkerProcess, type WorkerProcess } from '../support/worker-process.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 180_000 })

const random = createRandom(seedOf('KILL_SEED'))
let api: TestApi
let admin: Caller
let agent: Awaited<ReturnType<typeof startAgentProcess>>
let worker: WorkerProcess
let id: string
let inVolume: (script: string) => Promise<string>

beforeAll(async () => {
  api = await startTestApi({ LIMIT_POWER: '0' })
  admin = await api.signUp({ admin: true })
  await openAgentCluster(admin)
  agent = await startAgentProcess(await makeJoinToken(api, admin), { apart: true })
  const { engineVersion } = await prepareArtifacts(api)
  worker = await startWorkerProcess(api)
  const walletId = await topUp(api.context, admin, 5000)
  id = (await admin.call(routes.createServer, { body: order(walletId, engineVersion, { cluster_id: 'far' }) })).id
  await untilStatus(admin, id, isUp, 120_000)
  const tools = backupsOf(api, admin, id)
  ;({ inVolume } = tools)
  await inVolume('echo "in the backup" > word.txt')
  await tools.backUp()
  await inVolume('echo "after it" > word.txt')
  await agent.kill('SIGKILL')
})
afterAll(async () => {
  await worker?.kill()
  await agent?.start().catch(() => undefined)
  for (const clusterId of ['local', 'far'])
    await (await api?.context.fleet.clusterOf(clusterId))?.remove(id, { volume: 'delete' }).catch(() => undefined)
  await agent?.kill('SIGTERM')
  agent?.close()
  await api?.close()
})

const clusterNow = async () => (await admin.call(routes.getServer, { params: { id } })).cluster_id
const hasFilesHere = () => existsSync(join(api.dataDir, 'servers', id))
async function begin(): Promise<string> {
  const body = { cluster_id: 'local', reason: 'The machine burns' }
  return (await admin.call(migration.rescueServer, { params: { serverId: id }, body })).process_id
}
async function until(processId: string, isThere: (operation: Operation) => boolean): Promise<Operation> {
  for (const deadline = Date.now() + 150_000; ; await delay(20)) {
    const present = await admin.call(processes.getProcess, { params: { id, process_id: processId } })
    if (isThere(present)) return present
    if (Date.now() > deadline) throw new Error(`not in time: ${JSON.stringify(present)}`)
  }
}
const end = (processId: string) => until(processId, ({ state }) => isOver(state))
const at = (processId: string, phase: string) =>
  until(processId, (present) => present.phase === phase || isOver(present.state))

test('cancelled: it stays lost, and nothing is left where it would have come up', async () => {
  const processId = await begin()
  await at(processId, 'bring')
  await admin.call(processes.cancelProcess, { params: { id, process_id: processId } })
  expect(await end(processId)).toMatchObject({ state: 'cancelled' })
  expect([await clusterNow(), hasFilesHere()]).toEqual(['far', false])
})

test('its machine is back before it is switched over: it stays there with all that it has', async () => {
  const processId = await begin()
  await at(processId, 'bring')
  await agent.start()
  expect(await end(processId)).toMatchObject({
    state: 'rolled_back',
    error: { code: 'server_cannot_migrate', fields: { reason: 'not_lost' } },
  })
  expect([await clusterNow(), hasFilesHere()]).toEqual(['far', false])
  await untilStatus(admin, id, isUp)
  expect(await inVolume('cat word.txt')).toBe('after it')
  await agent.kill('SIGKILL')
})

test('killed in each phase: the same end', async () => {
  const processId = await begin()
  for (const phase of operationPhases.rescue) {
    await at(processId, phase)
    await delay(random.below(400))
    await worker.kill()
    worker = await startWorkerProcess(api)
  }
  expect(await end(processId)).toMatchObject({ state: 'done', progress: 1, error: null })
  await untilStatus(admin, id, isUp)
  expect([await clusterNow(), await inVolume('cat word.txt')]).toEqual(['local', 'in the backup'])
})
