/**
 * Operations with phases of a test's own, on a real database: whenever the worker is killed, they come to the same end.
 */
import { setTimeout as delay } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { DomainError } from '@wakestone/contract/errors'
import type { Operation } from '@wakestone/contract/servers/operations'
import { busyCodes, type ExclusiveKind, operationPhases } from '@wakestone/contract/servers/operations'
import * as routes from '@wakestone/contract/servers/operations-routes'
import { createServer } from '@wakestone/contract/servers/servers-routes'
import { closeContext, type Context, createContext } from '#src/context.ts'
import { inTransaction } from '#src/db/client.ts'
import { createLocks } from '#src/db/locks.ts'
import { type Caller, startTestApi, type TestApi } from '../../../../../../tests/support/api.ts'
import { crashEverywhere, createCrashes } from '../../../../../../tests/support/crashes.ts'
import { isLong } from '../../../../../../tests/support/long.ts'
import { outcomeOf } from '../../../../../../tests/support/outcome.ts'
import { order, prepareArtifacts, topUp } from '../../../../../../tests/support/servers.ts'
import { defineOperation, type OperationDefinition } from './define.ts'
import { createRunner } from './runner.ts'
import { beginOperation, cancelOperation, endPreparation } from './service.ts'

const phases = operationPhases.format
type PhaseName = (typeof phases)[number]

let api: TestApi
let owner: Caller
let serverId: string
/** The worker's own, which crashes. */
let worker: Context
let crashes: ReturnType<typeof createCrashes>

beforeAll(async () => {
  api = await startTestApi()
  const { settings, secrets, logger, databaseUrl } = api.context
  worker = await createContext({ settings, secrets, logger, databaseUrl, role: 'api' })
  crashes = createCrashes(worker.database.pool)
  const { engineVersion } = await prepareArtifacts(api)
  owner = await api.signUp()
  const walletId = await topUp(api.context, owner, 5000)
  serverId = (await owner.call(createServer, { body: order(walletId, engineVersion) })).id
  await inTransaction(api.context.db, (trx) => endPreparation(trx, serverId))
}, 120_000)
afterAll(async () => {
  if (worker !== undefined) await closeContext(worker)
  await api?.close()
})

/** What phases have made, each in two halves, and what they were seen to do. */
type World = { made: Set<string>; ended: string[]; downDuring: Record<string, boolean> }
let world: World
beforeEach(() => {
  world = { made: new Set(), ended: [], downDuring: {} }
})

type Scenario = { fails?: PhaseName; cancelled?: PhaseName; settledBy?: PhaseName }

function define({ fails, cancelled, settledBy }: Scenario): OperationDefinition {
  const phase = (name: PhaseName, needsDown: boolean) => ({
    weight: 1,
    needsDown,
    async run(step: Parameters<OperationDefinition['phases'][number]['run']>[0]) {
      world.made.add(`${name} first`)
      const { hold } = await step.deps.db
        .selectFrom('servers')
        .select('hold')
        .where('id', '=', serverId)
        .executeTakeFirstOrThrow()
      world.downDuring[name] = hold === 'down'
      await step.note({ [name]: true })
      step.report(0.5, name)
      if (fails === name) throw new DomainError('game_setup_is_invalid')
      if (cancelled === name) {
        await cancelOperation(api.context, serverId, step.operationId)
        await step.pause(200) // what is dead is told no more
      }
      world.made.add(`${name} second`)
    },
    async undo(step: Parameters<OperationDefinition['phases'][number]['run']>[0]) {
      world.made.delete(`${name} second`)
      await step.write(async (trx) => trx.selectFrom('servers').select('id').where('id', '=', serverId).execute())
      world.made.delete(`${name} first`)
    },
  })
  return defineOperation('format', {
    exclusive: true,
    phases: {
      stop: phase('stop', true),
      backup: phase('backup', true),
      snapshot: phase('snapshot', true),
      erase: phase('erase', true),
      install: phase('install', true),
      start: phase('start', false),
    },
    isSettled: (notes: Partial<Record<PhaseName, boolean>>) => settledBy !== undefined && notes[settledBy] === true,
    async ended(_trx, { outcome }) {
      world.ended.push(outcome)
    },
  })
}

const begin = () =>
  inTransaction(api.context.db, (trx) =>
    beginOperation(api.context, trx, { serverId, kind: 'format', input: {}, userId: owner.user.id }),
  )

/** A worker that lives until the operation is over, or it is killed. */
async function live(definition: OperationDefinition, id: string): Promise<void> {
  const locks = createLocks({ url: worker.databaseUrl, logger: worker.logger })
  try {
    const { run } = createRunner({
      deps: worker,
      kinds: [definition],
      locks,
      lookMilliseconds: 10,
      pauseMilliseconds: 1,
    })
    await run(id, new AbortController().signal)
  } finally {
    await locks.close()
  }
}

const get = (id: string): Promise<Operation> =>
  owner.call(routes.getProcess, { params: { id: serverId, process_id: id } })
const holdOf = async () =>
  (await api.context.db.selectFrom('servers').select('hold').where('id', '=', serverId).executeTakeFirstOrThrow()).hold

const complete = phases.flatMap((name) => [`${name} first`, `${name} second`])
function expectEnd(scenario: Scenario, operation: Operation, moment: string) {
  const state = scenario.fails !== undefined ? 'rolled_back' : scenario.cancelled !== undefined ? 'cancelled' : 'done'
  expect(operation.state, moment).toBe(state)
  expect([...world.made].sort(), moment).toEqual(state === 'done' ? complete.toSorted() : [])
  expect(operation.error?.code, moment).toBe(scenario.fails && 'game_setup_is_invalid')
  expect(operation.can_cancel, moment).toBe(false)
}

const scenarios: [string, Scenario][] = [
  ['goes through', {}],
  ...phases.map((fails): [string, Scenario] => [`fails at ${fails}`, { fails }]),
  ...phases.map((cancelled): [string, Scenario] => [`is cancelled at ${cancelled}`, { cancelled }]),
]
/** With few phases to go back over. */
const crashed = scenarios.filter(([name]) => isLong || name === 'is cancelled at backup')

describe('whenever its worker is killed, an operation that', () => {
  test.each(crashed)(
    '%s comes to the same end',
    async (_name, scenario) => {
      const definition = define(scenario)
      const moments = await crashEverywhere(crashes, {
        async prepare() {
          world = { made: new Set(), ended: [], downDuring: {} }
          return begin()
        },
        act: (id) => live(definition, id),
        async check(id, moment) {
          expectEnd(scenario, await get(id), moment)
          expect(await holdOf(), moment).toBeNull()
        },
      })
      expect(moments).toBeGreaterThan(10)
      // The last round met no crash.
      expect(world.ended).toHaveLength(1)
      expect(world.downDuring['start'] ?? false).toBe(false)
      expect(world.downDuring['stop']).toBe(true)
    },
    120_000,
  )

  test('meets any number of crashes, anywhere', async () => {
    const property = fc.asyncProperty(
      fc.constantFrom(...scenarios.map(([, scenario]) => scenario)),
      fc.array(fc.integer({ min: 1, max: 25 }), { maxLength: 5 }),
      async (scenario, statements) => {
        world = { made: new Set(), ended: [], downDuring: {} }
        const definition = define(scenario)
        const id = await begin()
        for (const statement of statements) {
          crashes.plan(statement)
          await live(definition, id).catch(() => undefined)
          await crashes.recover()
        }
        await live(definition, id)
        expectEnd(scenario, await get(id), `crashes after ${statements.join()}`)
      },
    )
    await fc.assert(property, { numRuns: isLong ? 200 : 5 })
  }, 600_000)
})

test('a phase that takes long is left when its operation is cancelled', async () => {
  const definition = define({})
  definition.phases[2]!.run = async (step) => {
    await cancelOperation(api.context, serverId, step.operationId)
    await step.pause(3_600_000)
  }
  const id = await begin()
  await live(definition, id)
  expectEnd({ cancelled: 'erase' }, await get(id), 'cancelled')
})

test('what fails in a way that may pass is tried again, and goes back in the end', async () => {
  let tries = 0
  const definition = define({})
  definition.phases[2]!.run = async () => {
    tries++
    throw new Error('not now')
  }
  const id = await begin()
  for (let turns = 0; (await get(id)).ended_at === null && turns < 50; turns++) {
    await api.context.db
      .updateTable('operations')
      .set({ due_at: new Date(0) })
      .where('id', '=', id)
      .execute()
    await live(definition, id)
  }
  expect(tries).toBe(6)
  expect(await get(id)).toMatchObject({ state: 'rolled_back', error: { code: 'service_unavailable' } })
  expect([...world.made]).toEqual([])
})

test('going back that cannot be done ends as failed', async () => {
  const definition = define({ fails: 'install' })
  definition.phases[1]!.undo = () => Promise.reject(new Error('never'))
  const id = await begin()
  for (let turns = 0; (await get(id)).ended_at === null && turns < 50; turns++) {
    await api.context.db
      .updateTable('operations')
      .set({ due_at: new Date(0) })
      .where('id', '=', id)
      .execute()
    await live(definition, id)
  }
  expect(await get(id)).toMatchObject({ state: 'failed', error: { code: 'game_setup_is_invalid' } })
  expect(await holdOf()).toBeNull()
})

test('a worker that has lost its lock writes nothing any more', async () => {
  let letGo = () => {}
  const held = new Promise<void>((resolve) => (letGo = resolve))
  let isHeld = () => {}
  const reached = new Promise<void>((resolve) => (isHeld = resolve))
  const stuck = define({})
  stuck.phases[1]!.run = async (step) => {
    isHeld()
    await held // longer than its signal allows
    await step.note({ late: true })
    world.made.add('late')
  }
  const id = await begin()
  const locks = createLocks({ url: worker.databaseUrl, logger: worker.logger })
  const { run } = createRunner({ deps: worker, kinds: [stuck], locks })
  const first = run(id, new AbortController().signal)
  await reached
  await locks.close() // as its connection would, should it break
  await live(define({}), id)
  letGo()
  await first
  expect(world.made).not.toContain('late')
  expect(await get(id)).toMatchObject({ state: 'done', attempt: 2 })
  const { notes } = await api.context.db
    .selectFrom('operations')
    .select('notes')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  expect(notes).not.toHaveProperty('late')
})

test('two workers at once do it once', async () => {
  const runs: string[] = []
  const definition = define({})
  for (const phase of definition.phases) {
    const { run } = phase
    phase.run = async (step) => {
      runs.push(phase.name)
      await run(step)
    }
  }
  const id = await begin()
  await Promise.all([live(definition, id), live(definition, id), live(definition, id)])
  expect(runs).toEqual([...phases])
  expect((await get(id)).state).toBe('done')
})

test('what fails where there is no way back ends as failed, and nothing is taken back', async () => {
  const id = await begin()
  await live(define({ settledBy: 'erase', fails: 'install' }), id)
  expect(await get(id)).toMatchObject({ state: 'failed', phase: 'install', error: { code: 'game_setup_is_invalid' } })
  expect(world.ended).toEqual(['failed'])
  const whole = phases.slice(0, phases.indexOf('install')).flatMap((name) => [`${name} first`, `${name} second`])
  expect([...world.made]).toEqual([...whole, 'install first'])
  const before = await begin()
  await live(define({ settledBy: 'erase', fails: 'snapshot' }), before)
  expect(await get(before)).toMatchObject({ state: 'rolled_back' })
})

test('one exclusive operation at a time; the next is refused by the name of the first', async () => {
  const exclusive = Object.keys(busyCodes) as ExclusiveKind[]
  const beginKind = (kind: ExclusiveKind) =>
    inTransaction(api.context.db, (trx) =>
      beginOperation(api.context, trx, { serverId, kind, input: {}, userId: null }),
    )
  const endAll = () =>
    api.context.db
      .updateTable('operations')
      .set({ state: 'cancelled', ended_at: new Date() })
      .where('ended_at', 'is', null)
      .execute()
  for (const first of exclusive) {
    const id = await beginKind(first)
    for (const second of exclusive) {
      const refused = (await beginKind(second).catch((error: unknown) => error)) as DomainError
      expect(refused.code).toBe(busyCodes[first])
      expect(refused.fields).toMatchObject({ process_id: id })
    }
    await endAll()
  }
  const results = await Promise.all(Array.from({ length: 5 }, () => outcomeOf(beginKind('format'))))
  expect(results.filter((result) => result === 'success')).toHaveLength(1)
  await endAll()
})

test('shows what is under way first, cancels it once, and knows no others', async () => {
  const id = await begin()
  const params = { id: serverId, process_id: id }
  const [newest] = await owner.call(routes.listProcesses, { params: { id: serverId } })
  expect(newest).toMatchObject({ id, state: 'queued', phase: null, executor: { id: owner.user.id } })
  expect(await owner.call(routes.cancelProcess, { params })).toMatchObject({ state: 'cancelling', can_cancel: false })
  expect(await owner.call(routes.cancelProcess, { params })).toMatchObject({ state: 'cancelling' }) // a second click
  await live(define({}), id)
  expect(await get(id)).toMatchObject({ state: 'cancelled', phase: null })
  expect(await outcomeOf(owner.call(routes.cancelProcess, { params }))).toBe('process_cant_be_cancelled')
  const none = { id: serverId, process_id: serverId }
  expect(await outcomeOf(owner.call(routes.getProcess, { params: none }))).toBe('process_not_found')
  expect(await outcomeOf(owner.call(routes.cancelProcess, { params: none }))).toBe('process_not_found')
})

test('is told live while it goes on, and how it ended', async () => {
  const ending = new AbortController()
  const response = await fetch(`${api.origin}/api/v1/servers/${serverId}/stream`, {
    headers: { cookie: owner.cookie() },
    signal: ending.signal,
  })
  const told: Operation[] = []
  const reading = (async () => {
    let text = ''
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const event = text.slice(0, end)
        text = text.slice(end + 2)
        const data = /^data: (.*)$/m.exec(event)?.[1]
        if (event.startsWith('event: operation') && data !== undefined)
          told.push((JSON.parse(data) as { operation: Operation }).operation)
      }
    }
  })().catch(() => undefined)
  const id = await begin()
  const mine = () => told.filter((operation) => operation.id === id)
  await expect.poll(() => mine().length).toBeGreaterThan(0)
  const slow = define({})
  for (const phase of slow.phases) {
    const { run } = phase
    phase.run = async (step) => {
      await run(step)
      const seen = () => mine().some(({ phase: name, item }) => name === phase.name && item === phase.name)
      for (const deadline = Date.now() + 5_000; !seen() && Date.now() < deadline;) await delay(10)
    }
  }
  await live(slow, id)
  await expect.poll(() => mine().at(-1)?.state).toBe('done')
  ending.abort()
  await reading
  expect([...new Set(mine().map(({ phase }) => phase))]).toEqual([null, ...phases])
  const progress = mine().map((operation) => operation.progress ?? 0)
  expect(progress).toEqual(progress.toSorted((one, other) => one - other))
  expect(progress.at(-1)).toBe(1)
  expect((await get(id)).took_seconds.length).toBeGreaterThan(0)
}, 30_000)
