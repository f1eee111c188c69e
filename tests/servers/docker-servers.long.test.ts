/**
 * The whole product over a cluster of containers, by a real Podman: a server is ordered there, played on, its files are
 * looked at and backed up, it sleeps and wakes, and it is taken away.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import * as clusters from '@wakestone/contract/admin/clusters-routes'
import { listFiles } from '@wakestone/contract/servers/files-routes'
import * as routes from '@wakestone/contract/servers/servers-routes'
import {
  clean,
  findPodmanFault,
  openPodman,
  type TestEngine,
} from '../../apps/server/src/adapters/clusters/docker/test-support/podman.ts'
import { createNames } from '../../apps/server/src/adapters/clusters/docker/names.ts'
import { type Caller, startTestApi, type TestApi } from '../support/api.ts'
import { backupsOf } from '../support/backups.ts'
import { joinServer, waitForChat } from '../support/player.ts'
import { isUp, order, prepareArtifacts, startTestWorker, topUp, untilStatus } from '../support/servers.ts'

// Nothing of the image may be there yet, and building it takes minutes.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 900_000 })

const fault = findPodmanFault()
if (fault !== undefined) console.error(`servers in containers are not tried here: ${fault}`)

describe.skipIf(fault !== undefined)('a server on a cluster of containers', () => {
  let api: TestApi
  let podman: TestEngine
  let worker: Awaited<ReturnType<typeof startTestWorker>>
  let owner: Caller
  let id: string

  beforeAll(async () => {
    podman = await openPodman()
    api = await startTestApi()
    const admin = await api.signUp({ admin: true })
    const body = {
      id: 'crates',
      name: 'Crates',
      country_code: null,
      visible_permission: null,
      free_places: null,
      zone_name: 'crates.test',
      driver: 'docker' as const,
      prices_of: 'local',
    }
    await admin.call(clusters.createCluster, { body })
    const params = { clusterId: 'crates' }
    const hosts = [{ name: 'here', url: podman.url, address: '127.0.0.1' }]
    await admin.call(clusters.changeCluster, { params, body: { hosts, disabled: false } })
    const { ok, problems } = await admin.call(clusters.checkCluster, { params })
    if (!ok) throw new Error(problems.join('; '))
    worker = await startTestWorker(api)
    const { engineVersion } = await prepareArtifacts(api)
    owner = await api.signUp()
    const walletId = await topUp(api.context, owner, 5000)
    id = (await owner.call(routes.createServer, { body: order(walletId, engineVersion, { cluster_id: 'crates' }) })).id
  })
  afterAll(async () => {
    if (id !== undefined) await worker?.fleet.cluster.remove(id, { volume: 'delete' })
    await worker?.stop()
    if (podman !== undefined && api !== undefined) {
      const { publicKey: installation } = api.context.secrets.supervisor
      await clean(podman.engine, createNames({ installation, clusterId: 'crates' }))
    }
    await api?.close()
    await podman?.close()
  })

  test('is brought up there, and somebody joins it', async () => {
    await untilStatus(owner, id, isUp, 180_000)
    expect(await (await api.context.fleet.clusterOf('crates')).list()).toEqual([id])
    expect(await (await api.context.fleet.clusterOf('local')).list()).toEqual([])
    const placement = await worker.fleet.cluster.inspect(id)
    if (placement.state !== 'running') throw new Error(`not placed: ${placement.state}`)
    const { host, port } = placement.game
    const bot = await joinServer({ host, gameHost: host, gamePort: port, username: 'Steve' })
    const heard = waitForChat(bot, /well met/)
    bot.chat('well met')
    await heard
    bot.end()
  })

  test('shows its files, and is backed up into a folder of this machine', async () => {
    const at = `${api.origin}/api/v1${listFiles.path.replace(':id', id)}?path=`
    const listed = await (await fetch(at, { headers: { cookie: owner.cookie() } })).text()
    expect(listed).toContain('server.properties')
    const tools = backupsOf(api, owner, id)
    await tools.backUp()
    expect(await tools.list()).toEqual([expect.objectContaining({ cannot_be_restored: false, incomplete: false })])
  })

  test('goes on when its supervisor is killed', async () => {
    const query = { signal: 'SIGKILL' }
    await podman.engine.call('POST', `/containers/wakestone-${id}/kill`, { query })
    await delay(500)
    await untilStatus(owner, id, isUp, 120_000)
  })
})
