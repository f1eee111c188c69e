/** Where a server can go: what is in its way is told before, and two that want the same room do not both get it. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import * as clusters from '@wakestone/contract/admin/clusters-routes'
import * as evacuations from '@wakestone/contract/admin/evacuations-routes'
import * as migration from '@wakestone/contract/servers/migration-routes'
import * as routes from '@wakestone/contract/servers/servers-routes'
import type { Cluster } from '../../apps/server/src/adapters/clusters/cluster.ts'
import { passEvacuations } from '../../apps/server/src/features/admin/evacuations/pass.ts'
import { type Caller, startTestApi, type TestApi } from '../support/api.ts'
import { outcomeOf, refusalOf } from '../support/outcome.ts'
import { order, prepareArtifacts, setPrepared, topUp } from '../support/servers.ts'

vi.setConfig({ hookTimeout: 60_000 })

let api: TestApi
let owner: Caller
let admin: Caller
let ids: string[]
let attic: Cluster

beforeAll(async () => {
  api = await startTestApi({ LIMIT_POWER: '0' })
  const { engineVersion } = await prepareArtifacts(api)
  ;[owner, admin] = [await api.signUp(), await api.signUp({ admin: true })]
  const walletId = await topUp(api.context, owner, 20_000)
  ids = []
  for (let count = 0; count < 3; count++) {
    const { id } = await owner.call(routes.createServer, { body: order(walletId, engineVersion) })
    await setPrepared(api, id)
    ids.push(id)
  }
  const body = { id: 'attic', name: 'Attic', country_code: 'PL', visible_permission: null, free_places: null }
  await admin.call(clusters.createCluster, { body: { ...body, zone_name: 'attic.example.test', prices_of: 'local' } })
  await admin.call(clusters.changeCluster, { params: { clusterId: 'attic' }, body: { disabled: false } })
  attic = await api.context.fleet.clusterOf('attic')
})
afterAll(() => api?.close())

const force = (id: string) =>
  admin.call(migration.migrateServer, {
    params: { id },
    body: { cluster_id: 'attic', by: 'force', reason: 'Making room' },
  })
const obstacle = async (id: string) =>
  (await owner.call(migration.getMigration, { params: { id } })).targets[0]?.obstacle

test('two that want the same room at once: one gets it', async () => {
  const capacity = attic.capacity.bind(attic)
  const { storage } = await capacity()
  const free = storage?.free ?? 0
  await sql`update servers set disk_bytes = ${Math.round(free * 0.6)}`.execute(api.context.db)
  expect(await obstacle(ids[0]!)).toBeNull()
  const outcomes = await Promise.all(ids.map((id) => outcomeOf(force(id))))
  expect(outcomes.toSorted()).toEqual(['server_cannot_migrate', 'server_cannot_migrate', 'success'])
  const late = ids[outcomes.indexOf('server_cannot_migrate')]!
  expect(await obstacle(late)).toBe('no_room')
  expect(await refusalOf(force(late))).toMatchObject({ fields: { reason: 'no_room' } })
  // The room is what the others leave, and it is free again once the move is over.
  const promised = async () =>
    (await admin.call(clusters.listAdminClusters, {})).find(({ id }) => id === 'attic')?.storage.promised
  expect(await promised()).toBeGreaterThan(0)
  await sql`update operations set ended_at = now(), state = 'cancelled' where kind = 'migrate'`.execute(api.context.db)
  expect([await obstacle(late), await promised()]).toEqual([null, 0])
})

test('a machine that is lost gives nothing away, and one that does not answer takes nothing', async () => {
  const id = ids[0]!
  const { cluster } = api.context.fleet
  const [inspect, capacity] = [cluster.inspect.bind(cluster), attic.capacity.bind(attic)]
  attic.capacity = () => Promise.reject(new Error('no answer'))
  expect(await obstacle(id)).toBe('unfit')
  attic.capacity = capacity
  cluster.inspect = async () => ({ state: 'lost', node: 'crate-1' })
  expect(await obstacle(id)).toBe('lost')
  expect(await refusalOf(force(id))).toMatchObject({ error: 'server_cannot_migrate', fields: { reason: 'lost' } })
  cluster.inspect = inspect
})

const rescue = (id: string, body: { cluster_id?: string; backup_id?: string } = {}, caller = admin) =>
  caller.call(migration.rescueServer, {
    params: { serverId: id },
    body: { cluster_id: 'attic', reason: 'The machine burns', ...body },
  })

/** A backup as the database knows it, made so many hours ago. @returns its id */
async function noteBackup(id: string, hoursAgo: number, change: Record<string, unknown> = {}): Promise<string> {
  const { db } = api.context
  const now = new Date()
  await db
    .insertInto('backup_repositories')
    .values({ server_id: id, location: '/nowhere', password: Buffer.from('x'), made_at: now })
    .onConflict((conflict) => conflict.column('server_id').doNothing())
    .execute()
  const place = await db
    .selectFrom('backup_repositories')
    .select('id')
    .where('server_id', '=', id)
    .executeTakeFirstOrThrow()
  const operation = await db
    .insertInto('operations')
    .values({
      server_id: id,
      kind: 'backup',
      exclusive: false,
      input: '{}',
      about: '{}',
      state: 'done',
      ended_at: now,
      due_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const row = await db
    .insertInto('backups')
    .values({
      repo_id: place.id,
      server_id: id,
      operation_id: operation.id,
      kind: 'auto',
      cause: 'plan',
      snapshot_id: operation.id,
      details: JSON.stringify({ snapshot_id: operation.id, total_bytes_processed: 1_000 }),
      incomplete: false,
      engine: 'flying-squid',
      engine_version: '1',
      plan: '{}',
      created_at: new Date(now.getTime() - hoursAgo * 3_600_000),
      ...change,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

test('only a machine that is lost is given up, by administrators, and for the newest backup that is whole', async () => {
  const id = ids[0]!
  const { db, fleet } = api.context
  const inspect = fleet.cluster.inspect.bind(fleet.cluster)
  const shown = () => admin.call(migration.getRescue, { params: { serverId: id } })
  expect(await outcomeOf(rescue(id, {}, owner))).toBe('insufficient_capabilities')
  expect(await refusalOf(rescue(id))).toMatchObject({ fields: { reason: 'not_lost' } })
  // One that gives no answer at all is in trouble, which is not the same.
  fleet.cluster.inspect = () => Promise.reject(new Error('no answer'))
  expect(await refusalOf(rescue(id))).toMatchObject({ fields: { reason: 'not_lost' } })
  fleet.cluster.inspect = async () => ({ state: 'lost', node: 'crate-1' })
  expect(await refusalOf(rescue(id))).toMatchObject({ fields: { reason: 'no_backup' } })
  expect(await refusalOf(rescue(id, { cluster_id: 'local' }))).toMatchObject({ fields: { reason: 'same_cluster' } })
  expect(await outcomeOf(rescue(id, { cluster_id: 'nowhere' }))).toBe('cluster_not_found')
  expect(await outcomeOf(rescue(randomUUID()))).toBe('server_id_not_found')

  const good = await noteBackup(id, 5)
  const older = await noteBackup(id, 8, { kind: 'manual', cause: 'asked', name: 'Spawn is done' })
  await noteBackup(id, 4, { incomplete: true })
  const damaged = await noteBackup(id, 3, { damaged_at: new Date() })
  await noteBackup(id, 2, { deleted_at: new Date() })
  await noteBackup(id, 1, { kind: 'safety', cause: 'restore' })
  const told = await shown()
  expect(told).toMatchObject({ is_lost: true, targets: [{ id: 'attic', obstacle: null }] })
  expect(told.backups.map((backup) => backup.id)).toEqual([good, older])
  expect(await outcomeOf(rescue(id, { backup_id: damaged }))).toBe('no_server_backup_found')
  const begun = await rescue(id)
  expect(begun.backup).toEqual(told.backups[0])
  expect(await outcomeOf(rescue(id))).toBe('server_has_running_migration')
  expect(await outcomeOf(force(id))).toBe('server_has_running_migration')
  await sql`update operations set ended_at = now(), state = 'cancelled' where id = ${begun.process_id}`.execute(db)
  expect((await rescue(id, { backup_id: older })).backup.name).toBe('Spawn is done')

  // Its room is promised, as that of moves is.
  const promised = async () =>
    (await admin.call(clusters.listAdminClusters, {})).find((cluster) => cluster.id === 'attic')?.storage.promised
  expect(await promised()).toBeGreaterThan(0)
  await sql`update operations set ended_at = now(), state = 'cancelled' where kind = 'rescue'`.execute(db)
  expect(await promised()).toBe(0)
  fleet.cluster.inspect = inspect
})

test('where files are kept since a rescue nothing is moved to', async () => {
  const id = ids[1]!
  const operation = await sql<{ id: string }>`select id from operations where server_id = ${id} limit 1`.execute(
    api.context.db,
  )
  const clusterIds = { from_cluster: 'attic', to_cluster: 'local' }
  await api.context.db
    .insertInto('server_moves')
    .values({
      operation_id: operation.rows[0]!.id,
      server_id: id,
      ...clusterIds,
      bytes: 1,
      left_behind: true,
      abandoned: true,
    })
    .execute()
  expect(await obstacle(id)).toBe('kept')
  expect(await refusalOf(force(id))).toMatchObject({ fields: { reason: 'kept' } })
  await api.context.db.deleteFrom('server_moves').execute()
  expect(await obstacle(id)).toBeNull()
})

test('a plan to empty a cluster: each server counts with the room that those before it leave', async () => {
  const { db } = api.context
  const free = (await attic.capacity()).storage?.free ?? 0
  await sql`update servers set disk_bytes = ${Math.round(free * 0.4)}, phase = null`.execute(db)
  await sql`update servers set phase = 'running', players_online = 2 where id = ${ids[0]}`.execute(db)
  const params = { clusterId: 'local' }
  const { plan, evacuation } = await admin.call(evacuations.getEvacuation, { params })
  expect(evacuation).toBeNull()
  expect(plan.map(({ new_cluster, obstacle: why }) => [new_cluster, why])).toEqual([
    ['attic', null],
    ['attic', null],
    [null, 'no_room'],
  ])
  // Who plays notices it: those move last.
  expect(plan[2]).toMatchObject({ server_id: ids[0], players: 2 })

  const begun = await admin.call(evacuations.beginEvacuation, { params, body: { reason: 'A disk is failing' } })
  expect(begun.evacuation).toMatchObject({ state: 'running', reason: 'A disk is failing' })
  expect(begun.evacuation?.servers.map(({ state, error }) => [state, error])).toEqual([
    ['waiting', null],
    ['waiting', null],
    ['failed', 'server_cannot_migrate'],
  ])
  expect((await admin.call(clusters.listAdminClusters, {})).find(({ id }) => id === 'local')).toMatchObject({
    disabled: true,
    draining: false,
  })
  expect(await outcomeOf(admin.call(evacuations.beginEvacuation, { params, body: { reason: 'Again' } }))).toBe(
    'resource_already_exists',
  )
  // What is planned has its room: nobody else takes it.
  expect(await refusalOf(force(ids[0]!))).toMatchObject({ fields: { reason: 'no_room' } })

  const change = (state: 'running' | 'paused' | 'cancelled') =>
    admin.call(evacuations.changeEvacuation, { params, body: { state } })
  expect((await change('paused')).evacuation).toMatchObject({ state: 'paused' })
  await passEvacuations(api.context)
  const moves = () => sql`select from operations where kind = 'migrate' and ended_at is null`.execute(db)
  expect((await moves()).rows).toHaveLength(0)
  await change('running')
  await passEvacuations(api.context)
  expect((await moves()).rows).toHaveLength(2)
  // One goes back twice, the other is done: a second move of the first is begun once its time has come.
  const [first = '', second = ''] = plan.map(({ server_id }) => server_id)
  const end = (id: string, state: string) =>
    sql`update operations set state = ${state}, ended_at = now(), error = '{"code":"game_setup_is_invalid"}'
      where server_id = ${id} and kind = 'migrate' and ended_at is null`.execute(db)
  await end(first, 'rolled_back')
  await end(second, 'done')
  await passEvacuations(api.context)
  const states = async () =>
    (await admin.call(evacuations.getEvacuation, { params })).evacuation?.servers.map(({ state }) => state)
  expect(await states()).toEqual(['waiting', 'moved', 'failed'])
  await sql`update evacuation_servers set due_at = now()`.execute(db)
  await passEvacuations(api.context)
  expect(await states()).toEqual(['moving', 'moved', 'failed'])
  await end(first, 'rolled_back')
  await passEvacuations(api.context)
  const { evacuation: ended } = await admin.call(evacuations.getEvacuation, { params })
  expect(ended).toMatchObject({ state: 'done', servers: [{ state: 'failed', error: 'game_setup_is_invalid' }, {}, {}] })
  expect(await outcomeOf(change('cancelled'))).toBe('resource_not_found')
})

test('one with tables that nobody can read stays, and so does one whose port is taken there', async () => {
  const [id = '', other = ''] = ids
  await sql`insert into server_mysql (server_id, created_at, password_created_at) values (${id}, now(), now())`.execute(
    api.context.db,
  )
  expect(await obstacle(id)).toBe('mysql')
  await sql`delete from server_mysql`.execute(api.context.db)
  const give = (server: string, cluster: string) =>
    sql`insert into cluster_ports (cluster_id, port, server_id, name) values (${cluster}, 30001, ${server}, 'Map')`.execute(
      api.context.db,
    )
  await give(id, 'local')
  await give(other, 'attic')
  expect(await obstacle(id)).toBe('port_taken')
})

test('a cluster that is being emptied takes nobody, not even by force', async () => {
  await admin.call(clusters.changeCluster, { params: { clusterId: 'attic' }, body: { draining: true } })
  expect(await obstacle(ids[2]!)).toBe('draining')
  expect(await refusalOf(force(ids[2]!))).toMatchObject({ fields: { reason: 'draining' } })
})
