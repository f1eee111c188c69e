/** A server with MySQL moves: its tables and its password are where it goes, and still there when it comes back. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import * as clusters from '@wakestone/contract/admin/clusters-routes'
import * as migration from '@wakestone/contract/servers/migration-routes'
import * as mysql from '@wakestone/contract/servers/mysql-routes'
import * as routes from '@wakestone/contract/servers/servers-routes'
import { type Caller, startTestApi, type TestApi } from '../support/api.ts'
import { type BackupsOf, backupsOf } from '../support/backups.ts'
import { isUp, order, prepareArtifacts, startTestWorker, topUp, untilStatus } from '../support/servers.ts'
import { giveSqlGame, sqlOfGame } from '../support/sql-game.ts'

vi.setConfig({ testTimeout: 300_000, hookTimeout: 180_000 })

let api: TestApi
let worker: Awaited<ReturnType<typeof startTestWorker>>
let owner: Caller
let id: string
let password: string
let tools: BackupsOf

beforeAll(async () => {
  api = await startTestApi({ LIMIT_POWER: '0', MOVE_WARNING_SECONDS: '0' })
  const { engineVersion } = await prepareArtifacts(api)
  owner = await api.signUp()
  const admin = await api.signUp({ admin: true })
  const walletId = await topUp(api.context, owner, 100_000)
  const body = order(walletId, engineVersion, { requested_billing_services: ['AMETHYST'] })
  id = (await owner.call(routes.createServer, { body })).id
  await giveSqlGame(api, id)
  worker = await startTestWorker(api)
  tools = backupsOf(api, owner, id)
  const attic = { id: 'attic', name: 'Attic', country_code: 'PL', visible_permission: null, free_places: null }
  await admin.call(clusters.createCluster, { body: { ...attic, zone_name: 'attic.example.test', prices_of: 'local' } })
  await admin.call(clusters.changeCluster, { params: { clusterId: 'attic' }, body: { disabled: false } })
  await untilStatus(owner, id, isUp, 120_000)
  password = (await owner.call(mysql.renewMysqlPassword, { params: { id } })).password
})
afterAll(async () => {
  await worker?.stop()
  await worker?.removeAll()
  await api?.close()
})

const sql = (statement: string) => sqlOfGame(api, owner, { serverId: id, password }, statement)
async function moveTo(clusterId: string) {
  const begun = await owner.call(migration.migrateServer, { params: { id }, body: { cluster_id: clusterId } })
  expect(await tools.end({ id: begun.migrate_process_id ?? '' }, 240_000)).toMatchObject({ state: 'done', error: null })
  await untilStatus(owner, id, isUp)
}

test('its tables go with it, its game gets in with the password that it has, and what it writes there comes back', async () => {
  await sql('create table coins (player varchar(40) primary key, amount int not null)')
  await sql("insert into coins values ('Alex', 5), ('Zoë', 7)")
  await moveTo('attic')
  expect(await sql('select * from coins order by player')).toBe('Alex\t5\nZoë\t7')
  await sql("update coins set amount = 6 where player = 'Alex'")
  await moveTo('local')
  expect(await sql('select * from coins order by player')).toBe('Alex\t6\nZoë\t7')
  // Nothing of it is left among the files.
  expect(await tools.inVolume('ls -A / /data .wakestone | grep -i -e sql$ -e mysql || true')).toBe('')
})

test('one that fails there comes back with what its game had', async () => {
  await sql("insert into coins values ('Nina', 1)")
  const target = await api.context.fleet.clusterOf('attic')
  const place = target.place.bind(target)
  target.place = () => Promise.reject(new Error('the machine is gone'))
  const begun = await owner.call(migration.migrateServer, { params: { id }, body: { cluster_id: 'attic' } })
  expect(await tools.end({ id: begun.migrate_process_id ?? '' }, 240_000)).toMatchObject({ state: 'rolled_back' })
  target.place = place
  await untilStatus(owner, id, isUp)
  expect(await sql('select count(*) from coins')).toBe('3')
})
