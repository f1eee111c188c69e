/**
 * How long a running server is down while it moves to another cluster of this machine, beyond the stop and the start of
 * its game. `BENCH_MOVE_MB` says how large its world is. Most of it was there before: what the game wrote since the safety
 * backup is a tenth.
 */
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { listUserWallets, loginLocal } from '@wakestone/contract/accounts/users-routes'
import * as clusters from '@wakestone/contract/admin/clusters-routes'
import { getMigration, migrateServer } from '@wakestone/contract/servers/migration-routes'
import { isOver } from '@wakestone/contract/servers/operations'
import { getProcess } from '@wakestone/contract/servers/operations-routes'
import { createServer, startServer, stopServer } from '@wakestone/contract/servers/servers-routes'
import { createLogger } from '@wakestone/kit/logger'
import { readSettings } from '@wakestone/kit/settings'
import { openCluster } from '../apps/server/src/adapters/clusters/fleet.ts'
import { demoAccount } from '../apps/server/src/features/accounts/accounts/first-accounts.ts'
import { findDatabase } from '../apps/standalone/src/database.ts'
import { createCookieClient } from '../tests/support/api.ts'
import { isDown, isUp, order, untilStatus } from '../tests/support/servers.ts'
import { startStandalone } from '../tests/support/standalone.ts'
import { reportFigure } from './fixtures/figure.ts'

const megabytes = Number(process.env['BENCH_MOVE_MB'] ?? 2_000)
const region = 4

const product = await startStandalone({ env: { MOVE_WARNING_SECONDS: '1', LIMIT_POWER: '0' } })
const settings = readSettings({ DATA_DIR: product.dataDir, NODE_ENV: 'development' })
const { secrets } = product
const owner = createCookieClient(product.origin)
const admin = createCookieClient(product.origin)
const database = new pg.Client(findDatabase(settings, secrets))
try {
  await database.connect()
  const user = await owner.call(loginLocal, { body: { login: demoAccount.email, password: secrets.demoPassword } })
  await admin.call(loginLocal, { body: { login: 'admin', password: secrets.adminPassword } })
  const body = { id: 'attic', name: 'Attic', country_code: null, visible_permission: null, free_places: null }
  await admin.call(clusters.createCluster, { body: { ...body, zone_name: 'attic.test', prices_of: 'local' } })
  await admin.call(clusters.changeCluster, { params: { clusterId: 'attic' }, body: { disabled: false } })

  const [wallet] = await owner.call(listUserWallets, { params: { id: user.id } })
  const wanted = order(wallet!.id, '1.21.4', { requested_billing_services: ['FREE'] })
  const { id } = await owner.call(createServer, { body: wanted })
  await untilStatus(owner, id, isUp)
  await giveRoom(id)
  const power = await measurePower(id)
  await write(id, 'old', megabytes * 0.9)

  const began = await admin.call(migrateServer, {
    params: { id },
    body: { cluster_id: 'attic', by: 'force', reason: 'A bench' },
  })
  const processId = began.migrate_process_id ?? ''
  const find = () => owner.call(getProcess, { params: { id, process_id: processId } })
  // What is written after the safety backup has to be copied while the game is down.
  for (;;) {
    const { phase } = await find()
    if (phase === 'preload' || phase === 'warn') break
    await delay(50)
  }
  await write(id, 'new', megabytes * 0.1)
  for (;;) {
    const present = await find()
    if (present.state === 'done') break
    if (isOver(present.state)) throw new Error(`it ended as ${present.state}: ${JSON.stringify(present.error)}`)
    await delay(200)
  }
  const { last } = await owner.call(getMigration, { params: { id } })
  const down = last?.down_seconds ?? Number.NaN
  reportFigure(`down while ${megabytes} MB move`, down, 's')
  reportFigure('of which the stop and the start of its game', power, 's')
  reportFigure('beyond those', down - power, 's', { atMost: 20 })
} finally {
  await database.end()
  await product.dispose()
}

/** Its plan is small; a disk grows with the next start. */
async function giveRoom(id: string): Promise<void> {
  const bytes = (megabytes * 2 + 1024) * 1024 ** 2
  await database.query(`update servers set limits = jsonb_set(limits::jsonb, '{storage}', $2::jsonb) where id = $1`, [
    id,
    JSON.stringify(bytes),
  ])
}

/** Seconds of a stop and a start by its owner. */
async function measurePower(id: string): Promise<number> {
  const began = performance.now()
  await owner.call(stopServer, { params: { id } })
  await untilStatus(owner, id, isDown)
  await owner.call(startServer, { params: { id } })
  await untilStatus(owner, id, isUp)
  return (performance.now() - began) / 1000
}

/** Regions that do not compress, as chunks are compressed already. */
async function write(id: string, name: string, size: number): Promise<void> {
  const logger = createLogger({ part: 'bench', level: 'silent' })
  const run = await openCluster({ settings, secrets, logger }).runTask(id, {
    name: 'bench-world',
    command: [
      '/bin/sh',
      '-c',
      `mkdir -p kept/${name} && for number in $(seq ${Math.ceil(size / region)}); do ` +
        `head -c ${region * 1024 ** 2} /dev/urandom > kept/${name}/r.0.$number.mca || exit 1; done`,
    ],
    volume: 'write',
    network: 'none',
    memoryBytes: 128 * 1024 ** 2,
  })
  for await (const { text } of run.lines) console.error(text)
  const { code } = await run.exit
  if (code !== 0) throw new Error(`the world was not written: ${code}`)
}
