/**
 * Servers that sleep, with the whole product running: from a player's knock to standing in the world, by how deep the
 * server slept, and what two hundred servers cost that nobody has come to.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { listUserWallets, loginLocal } from '@wakestone/contract/accounts/users-routes'
import { createServer, getServerStatus } from '@wakestone/contract/servers/servers-routes'
import { readSettings } from '@wakestone/kit/settings'
import { pingServer } from '@wakestone/minecraft/ping-server'
import { plainText } from '@wakestone/minecraft/text'
import { demoAccount } from '../apps/server/src/features/accounts/accounts/first-accounts.ts'
import { findDatabase } from '../apps/standalone/src/database.ts'
import { createCookieClient } from '../tests/support/api.ts'
import { joinServer } from '../tests/support/player.ts'
import { isUp, order, untilStatus } from '../tests/support/servers.ts'
import { startStandalone } from '../tests/support/standalone.ts'
import { readCgroupMembers } from '../apps/server/src/adapters/clusters/process/cgroup.ts'
import { joinRaw } from '../apps/gateway/src/test-support/raw-client.ts'
import { reportFigure } from './fixtures/figure.ts'

const sleeps = [
  {
    name: 'frozen',
    level: 'IRL_LIGHT_SLEEP',
    rule: { light: 0.05, deep: null, hibernate: null },
    rounds: 20,
    atMost: 1,
  },
  {
    name: 'stopped',
    level: 'IRL_DEEP_SLEEP',
    rule: { light: null, deep: 0.01, hibernate: null },
    rounds: 5,
    atMost: 8,
  },
  {
    name: 'hibernated',
    level: 'IRL_HIBERNATED',
    rule: { light: null, deep: 0.01, hibernate: 0.02 },
    rounds: 5,
    atMost: 12,
  },
]
const hibernated = 200
/** Of 200 servers that is 16 hours of one. */
const watchSeconds = 300

const product = await startStandalone({
  env: {
    SLEEP_MINUTES_AFTER_START: '0',
    WORKLOAD_LINGER_SECONDS: '1',
    CRIU_PATH: 'off', // with it: bench/checkpoints.ts
    // The same player knocks again and again.
    GATEWAY_WAKES_PER_ADDRESS: '1000',
    GATEWAY_WAKES_PER_NETWORK: '1000',
    GATEWAY_WAKES_PER_SERVER: '1000',
    LIMIT_WAKES: '0',
  },
})
const { call } = createCookieClient(product.origin)
const database = new pg.Client(findDatabase(readSettings({ DATA_DIR: product.dataDir }), product.secrets))
try {
  await database.connect()
  const user = await call(loginLocal, { body: { login: demoAccount.email, password: product.secrets.demoPassword } })
  const [wallet] = await call(listUserWallets, { params: { id: user.id } })
  const body = order(wallet!.id, '1.21.4', { requested_billing_services: ['FREE'] })
  const { id, domains } = await call(createServer, { body })
  const host = domains[0]!.fqdn
  await untilStatus({ call }, id, isUp)

  for (const { name, level, rule, rounds, atMost } of sleeps) {
    const times: number[] = []
    for (let round = 0; round <= rounds; round++) {
      await sleepAfter(id, rule)
      await untilStatus({ call }, id, ({ game_status, activity }) => game_status === level && activity === null)
      await untilListedAsleep(host)
      // Who sleeps without a game sleeps on, whatever its plan says then.
      if (name !== 'frozen') await sleepAfter(id, { light: 60, deep: 60, hibernate: 60 })
      const began = performance.now()
      const bot = await joinServer({ host, gamePort: product.gamePort, username: 'Steve' })
      times.push((performance.now() - began) / 1000)
      bot.end()
      await untilStatus({ call }, id, ({ players }) => players.online === 0)
    }
    // The first one loads what a client needs.
    reportFigure(
      `knock at a ${name} server to a bot in its world, ${nameOfSlow(rounds)}`,
      slowOf(times.slice(1)),
      's',
      {
        atMost,
      },
    )
  }
  await measureAlone(id, host)
  await measureRoom(id, host)

  await sleepAfter(id, sleeps[2]!.rule)
  await untilStatus({ call }, id, ({ game_status, pod_name }) => game_status === 'IRL_HIBERNATED' && pod_name === null)
  await measureHibernated(id)
  const status = await call(getServerStatus, { params: { id } })
  if (status.game_status !== 'IRL_HIBERNATED') throw new Error(`it is ${status.game_status}`)
} finally {
  await database.end()
  await product.dispose()
}

/** Of twenty in a row the slowest one is left out. */
function nameOfSlow(rounds: number): string {
  return rounds >= 20 ? `p95 of ${rounds} in a row` : `slowest of ${rounds}`
}
function slowOf(times: number[]): number {
  const sorted = times.toSorted((one, other) => one - other)
  return sorted[times.length >= 20 ? Math.ceil(times.length * 0.95) - 1 : times.length - 1]!
}

function findParts() {
  return JSON.parse(readFileSync(join(product.dataDir, 'standalone.parts.json'), 'utf8')) as Record<
    string,
    { pid: number }
  >
}

async function untilAsleep(id: string, host: string, level: string) {
  await untilStatus({ call }, id, ({ game_status, activity }) => game_status === level && activity === null)
  await untilListedAsleep(host)
}

/** A frozen server while nobody but its gateway and its supervisor answers. */
async function measureAlone(id: string, host: string) {
  const times: number[] = []
  const { api, worker } = findParts()
  for (let round = 0; round < 5; round++) {
    await sleepAfter(id, sleeps[0]!.rule)
    await untilAsleep(id, host, 'IRL_LIGHT_SLEEP')
    for (const part of [api, worker]) process.kill(part!.pid, 'SIGSTOP')
    try {
      const began = performance.now()
      const bot = await joinServer({ host, gamePort: product.gamePort, username: 'Steve' })
      times.push((performance.now() - began) / 1000)
      bot.end()
    } finally {
      for (const part of [api, worker]) process.kill(part!.pid, 'SIGCONT')
    }
    await untilStatus({ call }, id, ({ players }) => players.online === 0)
  }
  reportFigure('the same while API and worker are away, frozen, slowest of 5', Math.max(...times), 's', { atMost: 1 })
}

/** A server whose starts have taken long is waited for in the room, and left by a transfer. */
async function measureRoom(id: string, host: string) {
  await sleepAfter(id, sleeps[1]!.rule)
  await untilAsleep(id, host, 'IRL_DEEP_SLEEP')
  await sleepAfter(id, { light: 60, deep: 60, hibernate: 60 })
  await database.query(`update servers set start_seconds = '{60}' where id = $1`, [id])
  await delay(2_000) // the gateway is told
  const began = performance.now()
  // The room is left by a transfer; the client that then stands in the world is a real one.
  const told = await joinRaw({ gatewayPort: product.gamePort, host, protocol: 769, follows: false })
  if (told.transfers.length !== 1) throw new Error(`not through the room: ${JSON.stringify(told)}`)
  const bot = await joinServer({ host, gamePort: product.gamePort, username: 'Steve' })
  reportFigure(
    'knock at a stopped server, through the waiting room to a bot in its world',
    (performance.now() - began) / 1000,
    's',
    { atMost: 10 },
  )
  bot.end()
  await untilStatus({ call }, id, ({ players }) => players.online === 0)
}

async function sleepAfter(id: string, rule: object) {
  await database.query(`update servers set limits = jsonb_set(limits::jsonb, '{sleep}', $2::jsonb) where id = $1`, [
    id,
    JSON.stringify(rule),
  ])
}

async function untilListedAsleep(host: string) {
  for (const deadline = Date.now() + 30_000; ; await delay(20)) {
    const look = pingServer({ host: '127.0.0.1', port: product.gamePort, virtualHost: host, protocol: 769 })
    const text = await look.then(
      ({ description }) => plainText(description),
      () => '',
    )
    if (text.includes('is asleep')) return
    if (Date.now() > deadline) throw new Error(`not asleep: ${text}`)
  }
}

/** Many more of one that hibernates, which are at rest as it is. */
async function multiply(id: string): Promise<string[]> {
  await database.query('begin')
  await database.query(`create temp table copies as
    select gen_random_uuid() as server_id, gen_random_uuid() as service_id from generate_series(1, ${hibernated})`)
  await database.query(
    `insert into services select (jsonb_populate_record(services, jsonb_build_object('id', copies.service_id, 'product_id', 'GRASS'))).*
      from services, copies where services.id = (select service_id from servers where id = $1)`,
    [id],
  )
  await database.query(
    `insert into servers select (jsonb_populate_record(servers, jsonb_build_object('id', server_id, 'service_id', copies.service_id))).*
      from servers, copies where servers.id = $1`,
    [id],
  )
  await database.query(
    `insert into server_plans select (jsonb_populate_record(server_plans, jsonb_build_object('server_id', copies.server_id))).*
      from server_plans, copies where server_plans.server_id = $1`,
    [id],
  )
  await database.query(
    `insert into domains select (jsonb_populate_record(domains, jsonb_build_object('id', gen_random_uuid(),
        'server_id', copies.server_id, 'fqdn', copies.server_id || '.' || zone_name, 'sub_domain', copies.server_id))).*
      from domains, copies where domains.server_id = $1`,
    [id],
  )
  await database.query(
    `update server_looks set next_look_at = (select next_look_at from server_looks where server_id = $1)
      where server_id in (select server_id from copies)`,
    [id],
  )
  await database.query('commit')
  for (const deadline = Date.now() + 60_000; ; await delay(500)) {
    const { rows } = await database.query<{ due: number }>(
      `select count(*)::int as due from server_looks where next_look_at < now() + interval '1 hour'`,
    )
    if (rows[0]?.due === 0) break
    if (Date.now() > deadline) throw new Error(`${rows[0]?.due} servers are still looked at`)
  }
  const { rows } = await database.query<{ server_id: string }>('select server_id from copies')
  return rows.map(({ server_id }) => server_id)
}

async function measureHibernated(first: string) {
  const ids = await multiply(first)
  const log = join(product.dataDir, 'logs/postgres.log')
  await database.query(`alter system set log_statement = 'all'`)
  await database.query('select pg_reload_conf()')
  await delay(2_000)
  const worker = findParts()['worker']!
  const from = readFileSync(log).length
  const usedBefore = processorSeconds(worker.pid)
  const began = performance.now()
  await delay(watchSeconds * 1000)
  const seconds = (performance.now() - began) / 1000
  const used = processorSeconds(worker.pid) - usedBefore
  const told = readFileSync(log).subarray(from).toString()
  await database.query(`alter system reset log_statement`)
  await database.query('select pg_reload_conf()')
  if (!told.includes('statement') && !told.includes('execute')) throw new Error('PostgreSQL logs no statements')
  // One line of parameters per statement: a query about many servers counts once.
  const queries = told.split('\n').filter((line) => ids.some((id) => line.includes(id))).length
  reportFigure(`${hibernated} hibernated servers: processes`, processesOf([first, ...ids]), '', { atMost: 0 })
  reportFigure('one of them: queries in an hour', ((queries / ids.length) * 3600) / seconds, '/h', { atMost: 1 })
  reportFigure('all of them: processor of the worker', (used / seconds) * 100, '% of a core', { atMost: 1 })
}

function processorSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const [user = 0, system = 0] = stat.slice(stat.lastIndexOf(')')).split(' ').slice(12, 14).map(Number)
  return (user + system) / 100
}

/** Processes in the cgroups of servers, and those that were started on a folder of theirs. */
function processesOf(serverIds: string[]): number {
  const folder = join(product.dataDir, 'servers')
  const commands = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(folder)
      } catch {
        return false // ended meanwhile
      }
    })
  return new Set([...commands.map(Number), ...serverIds.flatMap((id) => readCgroupMembers(id))]).size
}
