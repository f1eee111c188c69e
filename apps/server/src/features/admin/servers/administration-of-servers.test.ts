import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { adminSearch } from '@wakestone/contract/admin/admin-routes'
import * as clusters from '@wakestone/contract/admin/clusters-routes'
import { getHealth } from '@wakestone/contract/admin/health-routes'
import * as servers from '@wakestone/contract/admin/servers-routes'
import { listUserEvents, listUserServers } from '@wakestone/contract/accounts/users-routes'
import type { ErrorCode } from '@wakestone/contract/errors'
import { listNotifications } from '@wakestone/contract/ground/notifications-routes'
import type { Server } from '@wakestone/contract/servers/server'
import { changeServerParameters } from '@wakestone/contract/servers/parameters-routes'
import {
  createServer,
  getServer,
  listClusters,
  listServerEvents,
  startServer,
} from '@wakestone/contract/servers/servers-routes'
import { inTransaction } from '#src/db/client.ts'
import { recordServerEvent } from '#src/features/ground/events/service.ts'
import { changeLimits, decideLevel, findServer } from '#src/features/servers/servers/service.ts'
import { troublesOf } from '#src/features/admin/health/service.ts'
import { type Caller, startTestApi, type TestApi } from '../../../../../../tests/support/api.ts'
import { order, topUp } from '../../../../../../tests/support/servers.ts'

const gibibyte = 1024 ** 3

let api: TestApi
let owner: Caller
let admin: Caller
let server: Server

beforeAll(async () => {
  api = await startTestApi()
  owner = await api.signUp()
  admin = await api.signUp({ admin: true })
  const walletId = await topUp(api.context, owner, 20_000)
  server = await owner.call(createServer, { body: order(walletId, '1.21.4') })
  await api.context.db.updateTable('servers').set({ prepared_at: new Date() }).where('id', '=', server.id).execute()
})
afterAll(() => api.close())

const code = (call: Promise<unknown>) =>
  call.then(
    () => 'done',
    (error: { body?: { error: ErrorCode } }) => error.body?.error,
  )
const params = () => ({ serverId: server.id })

describe('the search', () => {
  const find = async (q: string) =>
    (await admin.call(adminSearch, { query: { q } })).servers.map(({ id }) => id === server.id)

  test('finds a server by its port', async () => {
    const { db } = api.context
    await db
      .insertInto('cluster_ports')
      .values({ cluster_id: 'local', port: 25_871, name: 'voice', server_id: server.id })
      .execute()
    expect(await find('25871')).toEqual([true])
    expect(await find(':25871')).toEqual([true])
    await db
      .updateTable('servers')
      .set({ game_port: 31_013, game_host: '10.7.7.7' })
      .where('id', '=', server.id)
      .execute()
    expect(await find('31013')).toEqual([true])
    expect(await find('31014')).toEqual([])
  })

  test('finds it by the node it is on', async () => {
    expect(await find('10.7.7.7')).toEqual([true])
    expect(await find('this machine')).toEqual([true])
    expect(await find('10.7.7.8')).toEqual([])
  })

  test('finds it by a player who was there', async () => {
    await api.context.db
      .insertInto('player_sessions')
      .values({ server_id: server.id, name: 'Lantern_Keeper', joined_at: new Date(), left_at: new Date() })
      .execute()
    expect(await find('lantern_keeper')).toEqual([true])
    expect(await find('lantern_keepe')).toEqual([])
  })

  test('finds it by an error, a crash, its service and an event', async () => {
    const eventId = await inTransaction(api.context.db, (trx) =>
      recordServerEvent(trx, server.id, {
        action: 'SERVER_BACKUP',
        success: false,
        error: { code: 'no_backup_repository_updated' },
        data: {},
      }),
    )
    expect(await find('no_backup_repository_updated')).toEqual([true])
    expect(await find('no_backup_repository_backup')).toEqual([])
    expect(await find(server.service_id)).toEqual([true])
    expect(await find(eventId)).toEqual([true])
    expect(await find(server.domains[0]?.fqdn ?? '')).toEqual([true])
  })
})

describe('a server', () => {
  test('is shown with its placement and limits, to administrators only', async () => {
    const shown = await admin.call(servers.getAdminServer, { params: params() })
    expect(shown).toMatchObject({
      server: { id: server.id },
      standstills: [],
      placement: { cluster: { id: 'local' }, host: '10.7.7.7', port: 31_013, has_elsewhere: false },
      limits: { set: {}, plan: { memory: server.parameters.limits.memory } },
    })
    expect(await code(owner.call(servers.getAdminServer, { params: params() }))).toBe('insufficient_capabilities')
    expect(await code(admin.call(servers.getAdminServer, { params: { serverId: randomUUID() } }))).toBe(
      'server_id_not_found',
    )
  })

  test('is disabled and hidden with a reason, which its owner can read', async () => {
    const body = { disabled: true, hidden: true, sponsored: true, reason: 'Mines coins' }
    const shown = await admin.call(servers.changeAdminServer, { params: params(), body })
    expect(shown.standstills).toEqual(['disabled'])
    expect(shown.flags).toEqual({ disabled: true, hidden: true, testing: false, sponsored: true })
    expect(await code(owner.call(startServer, { params: { id: server.id } }))).toBe('server_is_disabled')
    expect(await owner.call(listUserServers, { params: { id: owner.user.id } })).toEqual([])
    expect(await admin.call(listUserServers, { params: { id: owner.user.id } })).toHaveLength(1)
    expect((await owner.call(getServer, { params: { id: server.id } })).id).toBe(server.id)
    const { data } = await owner.call(listServerEvents, {
      params: { id: server.id },
      query: { action: 'SERVER_ADMIN_CHANGE' },
    })
    expect(data).toMatchObject([
      {
        executor: { id: admin.user.id },
        data: {
          reason: 'Mines coins',
          before: { disabled: false, hidden: false, sponsored: false },
          after: { disabled: true, hidden: true, sponsored: true },
        },
      },
    ])
  })

  test('its owner is told, by mail too, that it was disabled, and why', async () => {
    const query = { types: 'SERVER_DISABLED' }
    const { notifications } = await owner.call(listNotifications, { params: { id: owner.user.id }, query })
    expect(notifications).toMatchObject([{ resource_id: server.id, fields: { reason: 'Mines coins' } }])
    expect(notifications[0]!.text).toContain('Mines coins')
    expect(notifications[0]!.statuses.map(({ channel }) => channel)).toContain('mail')
  })

  test('is found in the list by its switches, and changes nothing when nothing changes', async () => {
    const listed = async (flag: 'disabled' | 'testing') =>
      (await admin.call(servers.listAdminServers, { query: { flag, cluster_id: 'local' } })).count
    expect([await listed('disabled'), await listed('testing')]).toEqual([1, 0])
    const back = { disabled: false, hidden: false, sponsored: false, reason: 'A mistake' }
    await admin.call(servers.changeAdminServer, { params: params(), body: back })
    await admin.call(servers.changeAdminServer, { params: params(), body: back })
    const { count } = await owner.call(listServerEvents, {
      params: { id: server.id },
      query: { action: 'SERVER_ADMIN_CHANGE' },
    })
    expect([count, await listed('disabled')]).toEqual([2, 0])
    expect(await code(admin.call(servers.changeAdminServer, { params: params(), body: { reason: 'Nothing' } }))).toBe(
      'invalid_request',
    )
  })

  test('is found in the list by its name, address, owner and id', async () => {
    const listed = async (q: string) => {
      const { data, count } = await admin.call(servers.listAdminServers, { query: { q } })
      return [data.map(({ id }) => id === server.id), count]
    }
    const [{ username, email }] = (await api.context.db
      .selectFrom('users')
      .select(['username', 'email'])
      .where('id', '=', server.owner_id)
      .execute()) as [{ username: string; email: string }]
    const { fqdn } = server.domains[0]!
    for (const q of [server.name.slice(1).toUpperCase(), fqdn, fqdn.slice(1, -1), username, email, server.id])
      expect([q, ...(await listed(q))]).toEqual([q, [true], 1])
    expect(await listed('100%')).toEqual([[], 0])
    expect(await listed(randomUUID())).toEqual([[], 0])
  })

  test('keeps the limits that an administrator has set when its plan changes', async () => {
    const change = (caller: Caller, limits: object) =>
      caller.call(changeServerParameters, { params: { id: server.id }, body: { limits } })
    expect(await code(change(owner, { memory: 64 * gibibyte }))).toBe('insufficient_capabilities')
    expect(await code(change(admin, { memory: 1 }))).toBe('invalid_request')
    await change(admin, { memory: 3 * gibibyte, ports: 7 })
    const { limits } = (await owner.call(getServer, { params: { id: server.id } })).parameters
    expect([limits.memory, limits.ports, limits.cpu]).toEqual([3 * gibibyte, 7, server.parameters.limits.cpu])

    const other = { ...server.parameters.limits, memory: 6 * gibibyte, cpu: 3 }
    await inTransaction(api.context.db, (trx) => changeLimits(api.context, trx, server.id, other))
    const upgraded = await admin.call(servers.getAdminServer, { params: params() })
    expect(upgraded.server.parameters.limits).toMatchObject({ memory: 3 * gibibyte, cpu: 3 })
    expect(upgraded.limits.plan).toMatchObject({ memory: 6 * gibibyte })

    await change(admin, {})
    const plain = await admin.call(servers.getAdminServer, { params: params() })
    expect([plain.limits.set, plain.server.parameters.limits]).toEqual([{}, other])
    const { data } = await owner.call(listServerEvents, {
      params: { id: server.id },
      query: { action: 'SERVER_PARAMETERS_CHANGE' },
    })
    expect(data.map((event) => event.data)).toMatchObject([
      { before: { memory: 3 * gibibyte, ports: 7 }, after: {} },
      { before: {}, after: { memory: 3 * gibibyte, ports: 7 } },
    ])
  })
})

describe('a cluster', () => {
  const change = (clusterId: string, body: object) =>
    admin.call(clusters.changeCluster, { params: { clusterId }, body })
  const events = async () =>
    (await admin.call(listUserEvents, { params: { id: admin.user.id }, query: { action: 'USER_CHANGE_CLUSTER' } })).data

  test('is added, closed, with the prices of another; its zone is nobody else’s', async () => {
    const body = {
      id: 'meadow',
      name: 'Meadow',
      country_code: 'PL',
      visible_permission: 'early.meadow',
      free_places: 3,
      zone_name: 'meadow.test',
      prices_of: 'local',
    }
    const made = await admin.call(clusters.createCluster, { body })
    expect(made).toMatchObject({ id: 'meadow', disabled: true, draining: false, has_prices: true, servers: { all: 0 } })
    for (const again of [body, { ...body, id: 'other' }])
      expect(await code(admin.call(clusters.createCluster, { body: again }))).toBe('resource_already_exists')
    const bad = { ...body, id: 'third', zone_name: 'third.test', prices_of: 'nowhere' }
    expect(await code(admin.call(clusters.createCluster, { body: bad }))).toBe('cluster_not_found')
    // An address of the panel means the form by it.
    const reserved = admin.call(clusters.createCluster, { body: { ...body, id: 'new', zone_name: 'new.test' } })
    await expect(reserved).rejects.toMatchObject({ body: { error: 'invalid_request', fields: { id: 'reserved_id' } } })
    expect(await code(owner.call(clusters.createCluster, { body }))).toBe('insufficient_capabilities')
    expect((await events())[0]).toMatchObject({ data: { cluster: 'meadow', before: null, after: { name: 'Meadow' } } })
  })

  test('is seen by those who may, until everybody may', async () => {
    await change('meadow', { disabled: false })
    const seen = async () => (await owner.call(listClusters, {})).map(({ id }) => id)
    expect(await seen()).toEqual(['local'])
    await change('meadow', { visible_permission: null })
    expect(await seen()).toEqual(['local', 'meadow'])
    expect(await change('meadow', { disabled: true })).toMatchObject({ disabled: true, visible_permission: null })
    expect((await admin.call(servers.getAdminServer, { params: params() })).placement.has_elsewhere).toBe(false)
  })

  test('that is drained has its servers stand still until that ends, and takes no new ones', async () => {
    const { db, settings } = api.context
    const level = async () => decideLevel((await findServer(db, server.id)) as never, settings).level
    const nextLook = async () =>
      (await db.selectFrom('server_looks').select('asked').where('server_id', '=', server.id).executeTakeFirstOrThrow())
        .asked
    await db.updateTable('servers').set({ want_running: true }).where('id', '=', server.id).execute()
    expect(await level()).not.toBe('TERMINATED')
    const before = await nextLook()
    expect(await change('local', { draining: true })).toMatchObject({ disabled: true, draining: true })
    expect([await level(), await nextLook()]).toEqual(['TERMINATED', before + 1])
    expect(await code(owner.call(startServer, { params: { id: server.id } }))).toBe('server_is_disabled')
    const { standstills } = await admin.call(servers.getAdminServer, { params: params() })
    expect(standstills).toEqual(['cluster_draining'])
    expect(await change('local', { disabled: false })).toMatchObject({ disabled: false, draining: false })
    expect(await level()).not.toBe('TERMINATED')
    expect(await code(change('nowhere', { disabled: true }))).toBe('cluster_not_found')
  })

  test('of containers has machines, whose keys are kept and never told', async () => {
    const body = { id: 'crates', name: 'Crates', country_code: null, visible_permission: null, free_places: null }
    const created = { ...body, zone_name: 'crates.test', driver: 'docker' as const }
    const made = await admin.call(clusters.createCluster, { body: created })
    expect(made).toMatchObject({ driver: 'docker', hosts: [], nodes: [], machine: null })
    const check = () => admin.call(clusters.checkCluster, { params: { clusterId: 'crates' } })
    expect(await check()).toEqual({ ok: false, problems: expect.arrayContaining(['the cluster has no machines']) })

    const pem = (kind: string) => `-----BEGIN ${kind}-----\nc2VjcmV0LW9mLXRoZS1tYWNoaW5l\n-----END ${kind}-----`
    const keys = { ca: pem('CERTIFICATE'), cert: pem('CERTIFICATE'), key: pem('PRIVATE KEY') }
    const near = { name: 'near', url: 'unix:///nowhere/engine.sock', address: '127.0.0.1' }
    const far = { name: 'far', url: 'tcp://127.0.0.1:1', address: '10.0.0.5', refused: ['192.0.2.7'] }
    expect(await code(change('crates', { hosts: [far] }))).toBe('invalid_request') // without TLS
    expect(await code(change('crates', { hosts: [{ ...far, ...keys, key: pem('CERTIFICATE') }] }))).toBe(
      'invalid_request',
    )
    expect(await code(change('crates', { hosts: [near, near] }))).toBe('invalid_request')
    expect(await code(change('crates', { hosts: [{ ...near, url: 'http://127.0.0.1' }] }))).toBe('invalid_request')
    expect(await code(change('local', { hosts: [near] }))).toBe('invalid_request')
    const first = await change('crates', { hosts: [near, { ...far, ...keys }] })
    expect(first.hosts).toEqual([
      { ...near, refused: [], has_tls: false },
      { ...far, has_tls: true },
    ])
    // What is not given again is kept, and stays with the machine of that name.
    const second = await change('crates', { hosts: [far] })
    expect(second.hosts).toEqual([{ ...far, has_tls: true }])
    expect(await code(change('crates', { hosts: [{ ...far, name: 'other' }] }))).toBe('invalid_request')

    const row = await api.context.db
      .selectFrom('clusters')
      .selectAll()
      .where('id', '=', 'crates')
      .executeTakeFirstOrThrow()
    expect(JSON.stringify([row, await admin.call(clusters.listAdminClusters, {}), await events()])).not.toMatch(
      /c2VjcmV0|BEGIN/,
    )
    expect(row.host_secrets?.includes('secret-of')).toBe(false)
    await change('crates', { hosts: [near] })
    const { ok, problems } = await check()
    expect([ok, problems[0]]).toEqual([false, expect.stringContaining('near: engine not reached')])
    expect((await events())[0]).toMatchObject({ data: { cluster: 'crates', after: { hosts: [near] } } })
    const silent = (await admin.call(clusters.listAdminClusters, {})).find(({ id }) => id === 'crates')
    expect(silent?.nodes).toEqual([{ name: 'near', answers: false, placed: 0 }])
    await change('crates', { hosts: [] })
  })

  test('of Kubernetes is told where and by what, and its kubeconfig is kept and never told', async () => {
    const body = { id: 'pods', name: 'Pods', country_code: null, visible_permission: null, free_places: null }
    const made = await admin.call(clusters.createCluster, {
      body: { ...body, zone_name: 'pods.test', driver: 'kubernetes' as const },
    })
    expect(made).toMatchObject({ driver: 'kubernetes', kubernetes: null, hosts: null, nodes: [], machine: null })
    const check = () => admin.call(clusters.checkCluster, { params: { clusterId: 'pods' } })
    expect(await check()).toEqual({ ok: false, problems: [expect.stringContaining('nobody has said')] })

    const kubernetes = {
      namespace: 'wakestone-games',
      image: 'registry.example/wakestone-box:1',
      storage_class: null,
      reach: 'services' as const,
      address: null,
      from: ['10.0.0.0/16'],
    }
    const refused = [{ namespace: 'My Games' }, { image: 'a b' }, { reach: 'nodes' as const }, { from: ['everywhere'] }]
    for (const wrong of refused)
      expect(await code(change('pods', { kubernetes: { ...kubernetes, ...wrong } }))).toBe('invalid_request')
    expect(await code(change('local', { kubernetes }))).toBe('invalid_request')
    const kubeconfig = JSON.stringify({
      'current-context': 'a',
      contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
      clusters: [{ name: 'a', cluster: { server: 'https://127.0.0.1:1' } }],
      users: [{ name: 'a', user: { token: 'secret-of-the-cluster' } }],
    })
    const first = await change('pods', { kubernetes: { ...kubernetes, kubeconfig } })
    expect(first.kubernetes).toEqual({ ...kubernetes, has_kubeconfig: true })
    const second = await change('pods', { kubernetes: { ...kubernetes, storage_class: 'fast' } })
    expect(second.kubernetes).toEqual({ ...kubernetes, storage_class: 'fast', has_kubeconfig: true })
    expect(await check()).toEqual({ ok: false, problems: [expect.stringContaining('does not answer')] })
    const row = await api.context.db.selectFrom('clusters').selectAll().where('id', '=', 'pods').executeTakeFirst()
    const told = [row, await admin.call(clusters.listAdminClusters, {}), await events()]
    expect(JSON.stringify(told)).not.toContain('secret-of-the-cluster')
    expect(row?.host_secrets?.includes('secret-of-the-cluster')).toBe(false)
    expect((await events())[0]).toMatchObject({
      data: { cluster: 'pods', after: { kubernetes: { storage_class: 'fast' } } },
    })
    const forgotten = await change('pods', { kubernetes: { ...kubernetes, kubeconfig: null } })
    expect(forgotten.kubernetes).toMatchObject({ has_kubeconfig: false })
    expect(await check()).toMatchObject({ ok: false })
  })

  test('tells what is promised there, and what was used', async () => {
    const { db } = api.context
    const at = new Date(Math.floor(Date.now() / 60_000) * 60_000)
    await db
      .updateTable('servers')
      .set({ phase: 'running', placed_at: at, players_online: 2 })
      .where('id', '=', server.id)
      .execute()
    await db
      .insertInto('server_minutes')
      .values({ server_id: server.id, at, samples: 12, memory: gibibyte, cpu: 0.5, players: 2 })
      .execute()
    const [local] = (await admin.call(clusters.listAdminClusters, {})).filter(({ id }) => id === 'local')
    expect(local).toMatchObject({
      servers: { all: 1, placed: 1, up: 1, players: 2 },
      memory: { promised: 6 * gibibyte, used: gibibyte },
      cpu: { used: 0.5 },
    })
    expect(local?.machine?.memory.total).toBeGreaterThan(gibibyte)
    const history = await admin.call(clusters.getClusterHistory, {
      params: { clusterId: 'local' },
      query: { span: 'hour' },
    })
    expect(history.points).toEqual([
      { at: at.toISOString(), cpu: 0.5, memory: gibibyte, disk: 0, players: 2, servers: 1 },
    ])
  })
})

describe('the health', () => {
  test('names queues, and what is late', async () => {
    const { db } = api.context
    const before = await admin.call(getHealth, {})
    expect(before.queues.map(({ name }) => name)).toContain('reconcile-server')
    expect(before.queues.filter(({ name }) => name.startsWith('_'))).toEqual([])
    for (const { waiting, oldest_seconds } of before.queues) if (waiting === 0) expect(oldest_seconds).toBeNull()
    expect(before.disk[0]).toMatchObject({ place: 'data' })
    expect(before.backups.late).toEqual([])

    const days = (count: number) => new Date(Date.now() - count * 86_400_000)
    await db
      .updateTable('servers')
      .set({ prepared_at: days(3) })
      .where('id', '=', server.id)
      .execute()
    await db
      .updateTable('server_looks')
      .set({ unreached_since: days(1) })
      .where('server_id', '=', server.id)
      .execute()
    await db
      .insertInto('certificates')
      .values([{ name: 'a.example' }, { name: 'b.example', attempts: 3, last_error: 'no such host' }])
      .execute()
    const after = await admin.call(getHealth, {})
    expect(after.certificates).toEqual([
      { name: 'b.example', subject: '', ends: null, renews: true, error: 'no such host' },
      { name: 'a.example', subject: '', ends: null, renews: true, error: null },
    ])
    expect(after.troubles).toContainEqual({ trouble: 'certificate_ends', count: 1 })
    expect(after.backups).toMatchObject({ count: 1, late: [{ server: { id: server.id }, last_at: null }] })
    expect(after.lag.unreached.count).toBe(1)
    expect(after.troubles).toContainEqual({ trouble: 'backups_late', count: 1 })
    expect(after.troubles).toContainEqual({ trouble: 'servers_unreached', count: 1 })
    expect(await code(owner.call(getHealth, {}))).toBe('insufficient_capabilities')
  })

  test('says nothing of what is well, and of what ends soon in time', async () => {
    const { troubles: _, ...now } = await admin.call(getHealth, {})
    const well = {
      ...now,
      queues: [],
      providers: [],
      disk: [{ place: 'data' as const, total: 100, free: 50 }],
      lag: {
        looks: { count: 3, seconds: 1 },
        unreached: { count: 0, seconds: 0 },
        operations: { count: 0, seconds: 0 },
        deliveries: { count: 0, seconds: 0 },
        shop: { count: 0, seconds: 0 },
        records: { count: 1, failed: 0 },
      },
      certificates: [],
      backups: { count: 0, late: [] },
    }
    const at = new Date()
    expect(troublesOf(well, at)).toEqual([])
    const ends = new Date(at.getTime() + 13 * 86_400_000).toISOString()
    const own = { name: 'BEDROCK_TLS_CERT', subject: 'CN=play', ends, renews: false, error: null }
    const got = { ...own, name: 'play.example', subject: '', renews: true }
    expect(troublesOf({ ...well, certificates: [own, got] }, at)).toEqual([{ trouble: 'certificate_ends', count: 1 }])
    const failing = { ...got, error: 'no such host' }
    expect(troublesOf({ ...well, certificates: [failing] }, at)).toEqual([{ trouble: 'certificate_ends', count: 1 }])
    const shop = { count: 2, seconds: 301 }
    expect(troublesOf({ ...well, lag: { ...well.lag, shop } }, at)).toEqual([{ trouble: 'shop_late', count: 2 }])
    const disk = [{ place: 'data' as const, total: 100, free: 9 }]
    expect(troublesOf({ ...well, disk }, at)).toEqual([{ trouble: 'disk_full', count: 1 }])
  })
})

test('all servers are listed newest first, page by page, whatever their ids are', async () => {
  const other = await api.signUp()
  const walletId = await topUp(api.context, other, 20_000)
  const made = [server.id]
  for (const subdomain of ['first', 'second', 'third', 'fourth', 'fifth'])
    made.unshift(
      (await other.call(createServer, { body: order(walletId, '1.21.4', { name: subdomain, subdomain }) })).id,
    )
  const listed: string[] = []
  for (let pages = 0; pages < 3; pages++) {
    const after = listed.at(-1)
    const { data, count } = await admin.call(servers.listAdminServers, {
      query: { limit: 2, ...(after !== undefined && { after }) },
    })
    expect([data.length, count]).toEqual([2, made.length])
    listed.push(...data.map(({ id }) => id))
  }
  expect(listed).toEqual(made)
})
