/**
 * Changes of what a server runs, through the front door, while whoever works on them is killed: the worker as a process,
 * the supervisor with all that it runs, or both. Whatever the moment, they come to the end that they would have come to.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import * as engines from '@wakestone/contract/servers/engine-routes'
import {
  busyCodes,
  isOver,
  type Operation,
  type OperationKind,
  operationPhases,
} from '@wakestone/contract/servers/operations'
import * as processes from '@wakestone/contract/servers/operations-routes'
import * as routes from '@wakestone/contract/servers/servers-routes'
import { startUpstreams, type Upstreams } from '@wakestone/simulators/upstreams'
import { type Caller, startTestApi, type TestApi, stayForYears } from '../support/api.ts'
import { outcomeOf, refusalOf } from '../support/outcome.ts'
import { createRandom, seedOf } from '../support/random.ts'
import { isUp, order, topUp, untilStatus } from '../support/servers.ts'
import { startWorkerProcess, type WorkerProcess } from '../support/worker-process.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 })

const random = createRandom(seedOf('KILL_SEED'))
const kinds = ['engine_change', 'engine_return', 'format'] as const satisfies readonly OperationKind[]
type Kind = (typeof kinds)[number]
const victims = ['worker', 'supervisor', 'both'] as const
const moments = kinds.flatMap((kind) => operationPhases[kind].map((phase) => ({ kind, phase })))
const kills = moments.flatMap((moment) => victims.map((victim) => ({ ...moment, victim })))

let upstreams: Upstreams
let api: TestApi
let worker: WorkerProcess
let owner: Caller
let id: string

beforeAll(async () => {
  upstreams = await startUpstreams()
  api = await startTestApi({ ...upstreams.settings, LIMIT_POWER: '0' })
  worker = await startWorker()
  owner = await stayForYears(api, await api.signUp())
  const walletId = await topUp(api.context, owner, 5000)
  const body = order(walletId, '1.20.4', { engine: 'vanilla' })
  id = (await owner.call(routes.createServer, { body })).id
  await untilStatus(owner, id, isUp)
})
afterAll(async () => {
  await worker?.kill()
  await api?.context.fleet.cluster.remove(id)
  await api?.close()
  await upstreams?.close()
})

const startWorker = () => startWorkerProcess(api, upstreams.settings)
const params = () => ({ id })
const supervisor = () =>
  vi.waitFor(async () => (await api.context.fleet.find(id)) ?? Promise.reject(new Error('no supervisor')), 30_000)
const get = (operation: string) => owner.call(processes.getProcess, { params: { id, process_id: operation } })

async function until(operation: string, isThere: (operation: Operation) => boolean): Promise<Operation> {
  for (const deadline = Date.now() + 120_000; ; await delay(20)) {
    const present = await get(operation)
    if (isThere(present)) return present
    if (Date.now() > deadline) throw new Error(`not in time: ${JSON.stringify(present)}`)
  }
}
const end = (operation: string) => until(operation, ({ state }) => isOver(state))

/** What a server is: the engine that it runs, and files that tell one state of its volume from another. */
type State = { engine: string; kept: string | null; lost: string | null }
const files = { kept: 'ops.json', lost: 'banned-ips.json' } as const
async function build(name: keyof typeof files, word: string) {
  await (await supervisor()).writeFile(files[name], JSON.stringify([{ word }]))
}
async function look(): Promise<State> {
  const { engine, version } = await owner.call(engines.getEngine, { params: params() })
  const read = async (name: keyof typeof files) => {
    const text = await (await supervisor()).readFile(files[name])
    return text === undefined ? null : ((JSON.parse(text) as { word?: string }[])[0]?.word ?? null)
  }
  return { engine: `${engine} ${version}`, kept: await read('kept'), lost: await read('lost') }
}

let words = 0
/** A server that is up, and that differs from how it was before. */
async function prepare(kind: Kind): Promise<State> {
  await untilStatus(owner, id, isUp)
  const { back } = await owner.call(engines.getEngine, { params: params() })
  if (kind === 'engine_return' && back === null) await end(await begin('engine_change'))
  await untilStatus(owner, id, isUp)
  await build('kept', `word ${++words}`)
  await build('lost', `word ${++words}`)
  return look()
}

const other = (version: string) => (version.endsWith('1.20.4') ? '1.21.4' : '1.20.4')
async function begin(kind: Kind): Promise<string> {
  if (kind === 'format') {
    const body = { keep_files: [files.kept] }
    return (await owner.call(engines.formatServer, { params: params(), body })).format_process_id
  }
  if (kind === 'engine_return')
    return (await owner.call(engines.returnEngine, { params: params() })).change_engine_process_id
  const { engine, version } = await owner.call(engines.getEngine, { params: params() })
  const body = { engine: 'vanilla' as const, version: other(`${engine} ${version}`), keep_files: [files.kept] }
  return (await owner.call(engines.changeEngine, { params: params(), body })).change_engine_process_id
}

/** What a server was when the way back that it has was kept. */
let wayBack: State | undefined
function outcomeOfKind(kind: Kind, before: State): State | undefined {
  if (kind === 'format') return { ...before, lost: null }
  if (kind === 'engine_change') return { engine: `vanilla ${other(before.engine)}`, kept: before.kept, lost: null }
  return wayBack
}

const action = {
  engine_change: 'SERVER_CHANGE_ENGINE',
  engine_return: 'SERVER_CHANGE_ENGINE',
  format: 'SERVER_FORMAT',
} as const
async function told(kind: Kind, operation: string) {
  const query = { action: action[kind], limit: 100 }
  const { data } = await owner.call(routes.listServerEvents, { params: params(), query })
  return data.filter((event) => (event.data as { process_id?: string }).process_id === operation)
}

describe('killed', () => {
  test.each(kills)('$kind at $phase, the $victim: the same end', async ({ kind, phase, victim }) => {
    const before = await prepare(kind)
    const after = outcomeOfKind(kind, before)
    const operation = await begin(kind)
    await until(operation, (present) => present.phase === phase || isOver(present.state))
    await delay(random.below(400))
    if (victim !== 'supervisor') await worker.kill()
    if (victim !== 'worker') await api.context.fleet.cluster.remove(id)
    if (victim !== 'supervisor') worker = await startWorker()
    expect(await end(operation)).toMatchObject({ state: 'done', progress: 1, error: null })
    await untilStatus(owner, id, isUp)
    const present = await look()
    if (after !== undefined) expect(present).toEqual(after)
    wayBack = before
    expect(await told(kind, operation)).toMatchObject([{ success: true }])
    expect(await owner.call(engines.getEngine, { params: params() })).toMatchObject({
      back: { engine: 'vanilla', version: before.engine.split(' ')[1] },
    })
  })
})

describe('cancelled', () => {
  test.each(moments)(
    '$kind at $phase: everything is as it was, unless it was done by then',
    async ({ kind, phase }) => {
      const before = await prepare(kind)
      const after = outcomeOfKind(kind, before)
      const operation = await begin(kind)
      await until(operation, (present) => present.phase === phase || isOver(present.state))
      const cancelling = await outcomeOf(owner.call(processes.cancelProcess, { params: { id, process_id: operation } }))
      const { state } = await end(operation)
      expect(state).toBe(cancelling === 'success' ? 'cancelled' : 'done')
      await untilStatus(owner, id, isUp)
      const present = await look()
      if (state === 'cancelled') expect(present).toEqual(before)
      else {
        if (after !== undefined) expect(present).toEqual(after)
        wayBack = before
      }
      expect(await told(kind, operation)).toMatchObject([{ success: state === 'done' }])
    },
  )
})

test.each(kinds)('while %s is under way, each other is refused by its name', async (kind) => {
  await prepare(kind)
  const operation = await begin(kind)
  for (const second of kinds)
    expect(await refusalOf(begin(second))).toMatchObject({
      error: busyCodes[kind],
      fields: { process_id: operation },
    })
  await owner.call(processes.cancelProcess, { params: { id, process_id: operation } })
  await end(operation)
  await untilStatus(owner, id, isUp)
})
