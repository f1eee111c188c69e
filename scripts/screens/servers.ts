/** Servers in the states that take time to come about: one that sleeps, one with another engine before, a full house. */
import type { ApiClient } from '@wakestone/contract/client'
import { getFreePlay, joinFreeQueue } from '@wakestone/contract/servers/free-play-routes'
import { changeServerParameters } from '@wakestone/contract/servers/parameters-routes'
import { createSchedule, runSchedule } from '@wakestone/contract/servers/schedules-routes'
import { createServer, getServerStatus, pingServer } from '@wakestone/contract/servers/servers-routes'
import { closeContext } from '../../apps/server/src/context.ts'
import { order } from '../../tests/support/servers.ts'
import { until } from './payments.ts'
import { openContext, password, type Person, type Product, signUp, type Stage, walletOf } from './people.ts'

export type ServerScene = {
  asleepId: string
  /** Signs in as somebody who waits for a free place. */
  waiter: [login: string, password: string]
}

/** Has a server sleep as soon as nobody has been in it for two minutes. */
export async function letSleep(call: ApiClient, id: string, name: string): Promise<void> {
  await call(changeServerParameters, {
    params: { id },
    body: {
      name,
      description: '',
      language: 'pl',
      sleep: { light: 1, deep: 2, hibernate: null },
      start_flags: [],
    },
  })
}

/** @param customer whose schedules are shown; `FREE_PLACES` is 1, and nobody has the place */
export async function setServerScene(
  product: Product,
  { call, asleepId, scheduledId }: { call: ApiClient; asleepId: string; scheduledId: string },
): Promise<ServerScene> {
  const params = { id: scheduledId }
  await call(createSchedule, {
    params,
    body: {
      name: 'Restart at night',
      trigger: { kind: 'cron', expression: '0 4 * * *', time_zone: 'Europe/Warsaw' },
      conditions: ['empty'],
      steps: [
        { kind: 'message', text: 'Restart in a minute' },
        { kind: 'wait', seconds: 60 },
        { kind: 'power', action: 'restart' },
      ],
    },
  })
  const welcome = await call(createSchedule, {
    params,
    body: {
      name: 'Welcome',
      trigger: { kind: 'line', text: 'joined the game' },
      steps: [{ kind: 'message', text: 'Welcome! The rules are at spawn.' }],
    },
  })
  await call(runSchedule, { params: { ...params, schedule_id: welcome.id } })

  const context = await openContext(product)
  try {
    const stage = { product, context } as Stage
    await playForFree(await signUp(stage, 'bartek'))
    const waiter = await signUp(stage, 'ola_k')
    await waiter.call(joinFreeQueue, { query: {} })
    await until('a place in the queue', async () => (await waiter.call(getFreePlay, {})).state === 'waiting')
    await until(
      'a server that sleeps',
      async () => (await call(getServerStatus, { params: { id: asleepId } })).game_status === 'IRL_DEEP_SLEEP',
      // A minute after its start until it sleeps lightly, and another until deeply, by a clock that looks now and then.
      { seconds: 240 },
    )
    return { asleepId, waiter: [waiter.user.username, password] }
  } finally {
    await closeContext(context)
  }
}

/** Takes the one place, and keeps it while the pictures are taken. */
async function playForFree({ call, ...holder }: Person): Promise<void> {
  const body = order(walletOf({ call, ...holder }), '1.21.4', {
    name: 'calm-otter',
    requested_billing_services: ['FREE'],
  })
  let id: string | undefined
  // Whoever had the place may still be on the way out.
  await until('the free place', async () => {
    id = await call(createServer, { body }).then(
      (server) => server.id,
      () => undefined,
    )
    return id !== undefined
  })
  const params = { id: id! }
  await until('a free server', async () => (await call(getServerStatus, { params })).game_status === 'IRL_IDLE')
  await call(pingServer, { params, query: { duration: '3h' } })
}
