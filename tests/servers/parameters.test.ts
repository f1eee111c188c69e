/** What owners set of their servers, through the front door. */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import * as routes from '@wakestone/contract/servers/parameters-routes'
import type { InstallPlan } from '@wakestone/packager/manifest'
import { withStartFlags } from '../../apps/server/src/features/servers/parameters/service.ts'
import { ownSleepSchema, soonerSleep, startFlagSchema } from '@wakestone/contract/servers/parameters'
import { createServer, listServerEvents } from '@wakestone/contract/servers/servers-routes'
import { startUpstreams, type Upstreams } from '@wakestone/simulators/upstreams'
import { type Caller, startTestApi, type TestApi } from '../support/api.ts'
import { refusalOf } from '../support/outcome.ts'
import { order, setPrepared, topUp } from '../support/servers.ts'

vi.setConfig({ hookTimeout: 120_000 })

let upstreams: Upstreams
let api: TestApi
let owner: Caller
let serverId: string
beforeAll(async () => {
  upstreams = await startUpstreams()
  api = await startTestApi(upstreams.settings)
  owner = await api.signUp()
  const walletId = await topUp(api.context, owner, 5000)
  const body = order(walletId, '1.21.4', { engine: 'vanilla' })
  serverId = (await owner.call(createServer, { body })).id
  await setPrepared(api, serverId)
})
afterAll(async () => {
  await api?.close()
  await upstreams?.close()
})

const params = () => ({ id: serverId })
type Change = NonNullable<Parameters<typeof owner.call<typeof routes.changeServerParameters>>[1]['body']>
const planOf = (command: string[]): InstallPlan => ({
  hash: '',
  packages: [],
  files: [],
  launch: { command, env: {}, stopCommand: 'stop' },
})
const change = (body: Change) => owner.call(routes.changeServerParameters, { params: params(), body })
const launch = async () => {
  const { plan } = await api.context.db
    .selectFrom('server_plans')
    .select('plan')
    .where('server_id', '=', serverId)
    .executeTakeFirstOrThrow()
  return (plan as { launch: { command: string[] } }).launch.command
}

test('name, description and language; a new name is told in the events', async () => {
  expect(await change({ name: 'Mossy Keep', description: 'Where the moss grows.', language: 'de' })).toMatchObject({
    name: 'Mossy Keep',
    description: 'Where the moss grows.',
    language: 'de',
    plan_sleep: { light: 10, deep: 60 },
  })
  const { data } = await owner.call(listServerEvents, { params: params(), query: { action: 'SERVER_NAME_CHANGED' } })
  expect(data).toMatchObject([{ data: { old_name: 'Meadow', new_name: 'Mossy Keep' } }])
  expect(await change({ description: '' })).toMatchObject({ name: 'Mossy Keep', description: '' })
  for (const wrong of [{ name: 'x' }, { description: 'x'.repeat(256) }, { description: 'two\nlines' }])
    expect((await refusalOf(change(wrong))).error).toBe('invalid_request')
})

test('sleeps sooner than the plan says, never later', async () => {
  expect(await change({ sleep: { light: 2, deep: null, hibernate: null } })).toMatchObject({ sleep: { light: 2 } })
  expect(await refusalOf(change({ sleep: { light: 11, deep: 30, hibernate: null } }))).toMatchObject({
    error: 'invalid_request',
    fields: { 'sleep.light': 'later_than_plan' },
  })
  expect((await owner.call(routes.getServerParameters, { params: params() })).sleep.light).toBe(2)
  const minutes = fc.option(fc.integer({ min: 1, max: 525_600 }))
  const rule = fc.record({ light: minutes, deep: minutes, hibernate: minutes })
  fc.assert(
    fc.property(rule, rule, (plan, own) => {
      expect(ownSleepSchema.safeParse(own).success).toBe(true)
      const sooner = soonerSleep(plan, own)
      for (const level of ['light', 'deep', 'hibernate'] as const)
        expect(sooner[level] ?? Infinity).toBe(Math.min(plan[level] ?? Infinity, own[level] ?? Infinity))
    }),
  )
})

test('start flags within limits come after ours and before what is run, and go again', async () => {
  const before = await launch()
  const flagged = (...flags: string[]) => before.toSpliced(before.indexOf('-jar'), 0, ...flags)
  expect(before).toContain('-XX:+UseG1GC')
  await change({ start_flags: ['-XX:+UseG1GC', '-XX:MaxGCPauseMillis=100'] })
  expect(await launch()).toEqual(flagged('-XX:+UseG1GC', '-XX:MaxGCPauseMillis=100'))
  // Two collectors at once would end Java.
  await change({ start_flags: ['-XX:+UseZGC'] })
  expect(await launch()).toEqual(flagged('-XX:-UseG1GC', '-XX:+UseZGC'))
  await change({ start_flags: [] })
  expect(await launch()).toEqual(before)
  // Of engines that a script puts together before Java runs them, and of those that Java does not run at all.
  const forge = planOf(['/bin/sh', '-c', 'exec "$@"', 'forge', '{JAVA}', '-Xms128M', '-XX:+UseG1GC', '--', 'nogui'])
  const flaggedForge = withStartFlags(forge, ['-XX:+UseZGC'])
  expect(flaggedForge.launch.command).toEqual(forge.launch.command.toSpliced(7, 0, '-XX:-UseG1GC', '-XX:+UseZGC'))
  expect(withStartFlags(flaggedForge, [], ['-XX:+UseZGC']).launch).toEqual(forge.launch)
  // Earlier versions had put them first.
  const older = planOf(forge.launch.command.toSpliced(5, 0, '-XX:+UseZGC'))
  expect(withStartFlags(older, ['-XX:+UseZGC'], ['-XX:+UseZGC']).launch).toEqual(flaggedForge.launch)
  const other = planOf(['{DIR:bedrock}/bedrock_server'])
  expect(withStartFlags(other, ['-XX:+UseZGC'])).toEqual(other)
  for (const flag of [
    '-Xmx8G',
    '-javaagent:x.jar',
    '-XX:OnOutOfMemoryError=sh',
    '-jar',
    '-Djava.security.policy=x',
    '{DIR:x}',
  ])
    expect(startFlagSchema.safeParse(flag).success, flag).toBe(false)
})

test('what is ours, and what is none, is refused by name before any file is touched', async () => {
  const values = { 'server-port': '1', 'rcon.password': 'x', 'max-players': '21', pvp: 'maybe', difficulty: 'mild' }
  expect(
    await refusalOf(owner.call(routes.changeServerProperties, { params: params(), body: { values } })),
  ).toMatchObject({
    error: 'invalid_request',
    fields: {
      'values.server-port': 'refused',
      'values.rcon.password': 'refused',
      'values.max-players': 'more_than_plan',
      'values.pvp': 'flag',
      'values.difficulty': 'choice',
    },
  })
})
