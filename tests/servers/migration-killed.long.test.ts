/**
 * Moves, through the front door, while the worker at them is killed in each phase, or while they are cancelled in each:
 * a server is on one cluster with all of its files, and on no other.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import * as clusters from '@wakestone/contract/admin/clusters-routes'
import * as migration from '@wakestone/contract/servers/migration-routes'
import { isOver, type Operation, operationPhases } from '@wakestone/contract/servers/operations'
import * as processes from '@wakestone/contract/servers/operations-routes'
import * as users from '@wakestone/contract/accounts/users-routes'
import * as routes from '@wakestone/contract/servers/servers-routes'
import type { ServerStatus } from '@wakestone/contract/servers/server'
import { type Caller, startTestApi, type TestApi, stayForYears } from '../support/api.ts'
import { backupsOf } from '../support/backups.ts'
import { outcomeOf } from '../support/outcome.ts'
import { joinServer } from '../support/player.ts'
import { createRandom, seedOf } from '../support/random.ts'
import { isUp, order, prepareArtifacts, topUp, untilStatus } from '../support/servers.ts'
import { startWorkerProcess, type WorkerProcess } from '../support/worker-process.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 })

const random = createRandom(seedOf('KILL_SEED'))
const phases = operationPhases.migrate
let api: TestApi
let worker: WorkerProcess
let owner: Caller
let admin: Caller
let id: string
let inVolume: (script: string) => Promise<string>

beforeAll(async () => {
  api = await startTestApi({ LIMIT_POWER: '0', MOVE_WARNING_SECONDS: '1' })
  const { engineVersion } = await prepareArtifacts(api)
  worker = await startWorkerProcess(api)
  owner = await stayForYears(api, await api.signUp())
  admin = await stayForYears(api, await api.signUp({ admin: true }))
  const walletId = await topUp(api.context, owner, 5000)
  id = (await owner.call(routes.createServer, { body: order(walletId, engineVersion) })).id
  ;({ inVolume } = backupsOf(api, owner, id))
  const body = { id: 'attic', name: 'Attic', country_code: null, visible_permission: null, free_places: null }
  await admin.call(clusters.createCluster, { body: { ...body, zone_name: 'attic.example.test', prices_of: 'local' } })
  await admin.call(clusters.changeCluster, { params: { clusterId: 'attic' }, body: { disabled: false } })
  await untilStatus(owner, id, isUp)
})
/** All of it takes longer than a session. */
beforeEach(async () => {
  await owner.call(users.loginLocal, { body: { login: owner.user.username, password: owner.password } })
})
afterAll(async () => {
  await worker?.kill()
  await api?.context.fleet.cluster.remove(id)
  await api?.close()
})

const params = () => ({ id })
const clusterNow = async () => (await owner.call(routes.getServer, { params: params() })).cluster_id
const otherThan = (clusterId: string) => (clusterId === 'local' ? 'attic' : 'local')
const hasFilesOn = (clusterId: string) =>
  existsSync(join(api.dataDir, ...(clusterId === 'local' ? [] : ['clusters', clusterId]), 'servers', id))

async function until(operation: string, isThere: (operation: Operation) => boolean): Promise<Operation> {
  for (const deadline = Date.now() + 150_000; ; await delay(20)) {
    const present = await owner.call(processes.getProcess, { params: { id, process_id: operation } })
    if (isThere(present)) return present
    if (Date.now() > deadline) throw new Error(`not in time: ${JSON.stringify(present)}`)
  }
}
const end = (operation: string) => until(operation, ({ state }) => isOver(state))

let words = 0
/** Begins a move of a server that is up and has a file like no other. */
async function begin(isThere = isUp) {
  await untilStatus(owner, id, isThere)
  const from = await clusterNow()
  const word = `word ${++words}`
  await inVolume(`echo "${word}" > word.txt`)
  const body = { cluster_id: otherThan(from) }
  const { migrate_process_id: operation } = await owner.call(migration.migrateServer, { params: params(), body })
  return { from, to: body.cluster_id, word, operation: operation ?? '' }
}

async function expectOn(clusterId: string, word: string) {
  await untilStatus(owner, id, isUp)
  expect([await clusterNow(), hasFilesOn(clusterId), hasFilesOn(otherThan(clusterId))]).toEqual([
    clusterId,
    true,
    false,
  ])
  expect(await inVolume('cat word.txt')).toBe(word)
}

/** Once it is there nobody cancels it. */
const settled: readonly string[] = ['install', 'start', 'clean']

async function killAt(operation: string, phase: string) {
  await until(operation, (present) => present.phase === phase || isOver(present.state))
  await delay(random.below(400))
  await worker.kill()
  worker = await startWorkerProcess(api)
}

test.each(phases)('killed at %s: the same end', async (phase) => {
  const { to, word, operation } = await begin()
  await killAt(operation, phase)
  expect(await end(operation)).toMatchObject({ state: 'done', progress: 1, error: null })
  await expectOn(to, word)
})

test('killed while players are told: each time they are told once', async () => {
  const placement = await api.context.fleet.cluster.inspect(id)
  if (placement.state !== 'running') throw new Error('it is not up')
  const { host, port } = placement.game
  const player = await joinServer({ host, gameHost: host, gamePort: port, username: 'Listener' })
  const isPlayed = ({ players }: ServerStatus) => players.online === 1
  const told: string[] = []
  player.on('messagestr', (text) => {
    if (/another machine/.test(text)) told.push(text)
  })
  await untilStatus(owner, id, isPlayed)
  // This client hears each line as often as the game sends it.
  await (await api.context.fleet.find(id))!.command('say another machine, for a try')
  await vi.waitFor(() => expect(told).not.toHaveLength(0), { timeout: 10_000 })
  await delay(1_000)
  const once = told.splice(0).length
  const { to, word, operation } = await begin(isPlayed)
  await killAt(operation, 'warn')
  expect(await end(operation)).toMatchObject({ state: 'done' })
  await expectOn(to, word)
  // Long before and shortly before.
  const times = Map.groupBy(told, (text) => /in (\d+) s/.exec(text)?.[1])
  expect([...times].map(([seconds, lines]) => [seconds, lines.length])).toEqual([
    ['30', once],
    ['10', once],
  ])
})

test.each(phases)('cancelled at %s: where it was with all of its files, unless it was done by then', async (phase) => {
  const { from, to, word, operation } = await begin()
  await until(operation, (present) => present.phase === phase || isOver(present.state))
  const asked = await outcomeOf(owner.call(processes.cancelProcess, { params: { id, process_id: operation } }))
  if (settled.includes(phase)) expect(asked).toBe('process_cant_be_cancelled')
  const { state } = await end(operation)
  expect(state).toBe(asked === 'success' ? 'cancelled' : 'done')
  await expectOn(state === 'done' ? to : from, word)
})
