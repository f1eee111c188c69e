/** A disk that is full to its quota, through the front door: the server says so, and nobody else notices. */
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { listServerNotifications } from '@wakestone/contract/ground/notifications-routes'
import * as files from '@wakestone/contract/servers/files-routes'
import * as routes from '@wakestone/contract/servers/servers-routes'
import { canMountImages } from '../../apps/server/src/adapters/clusters/process/test-support/machine.ts'
import { type Caller, startTestApi, type TestApi } from '../support/api.ts'
import { outcomeOf } from '../support/outcome.ts'
import { isUp, order, prepareArtifacts, startTestWorker, topUp, untilStatus } from '../support/servers.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const MIB = 1024 ** 2

let api: TestApi
let worker: Awaited<ReturnType<typeof startTestWorker>>
let owner: Caller
/** The one that becomes full, and one beside it. */
let id: string
let neighbour: string

beforeAll(async () => {
  if (!canMountImages) return
  api = await startTestApi()
  const { engineVersion } = await prepareArtifacts(api)
  owner = await api.signUp()
  const walletId = await topUp(api.context, owner, 10_000)
  const rent = async () => (await owner.call(routes.createServer, { body: order(walletId, engineVersion) })).id
  ;[id, neighbour] = [await rent(), await rent()]
  await sql`update servers set limits = jsonb_set(limits::jsonb, '{storage}', ${String(512 * MIB)}::jsonb)`.execute(
    api.context.db,
  )
  worker = await startTestWorker(api)
  await untilStatus(owner, id, isUp)
  await untilStatus(owner, neighbour, isUp)
})
afterAll(async () => {
  await worker?.stop()
  await worker?.removeAll()
  await api?.close()
})

async function inVolume(script: string): Promise<void> {
  const run = await api.context.fleet.cluster.runTask(id, {
    name: 'test',
    command: ['/bin/sh', '-c', script],
    volume: 'write',
    network: 'none',
    memoryBytes: 64 * MIB,
  })
  let text = ''
  for await (const line of run.lines) text += `${line.text}\n`
  expect(await run.exit, text).toMatchObject({ code: 0 })
}
const usedOf = async (server: string) =>
  (await owner.call(files.getDiskStats, { params: { id: server } })) as { bfree: number; bsize: number }

test.runIf(canMountImages)(
  'an upload into a disk that fills up is refused in its midst, and goes on later',
  async () => {
    const bytes = randomBytes(24 * MIB)
    const body = { purpose: 'upload', path: 'big.bin', size: bytes.length } as const
    const { url } = await owner.call(files.createFileTicket, { params: { id }, body })
    const send = (offset: number, end = bytes.length) =>
      fetch(`${api.origin}${url}`, {
        method: 'PATCH',
        headers: { 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) },
        body: bytes.subarray(offset, end),
      })
    const offsetNow = async () =>
      Number((await fetch(`${api.origin}${url}`, { method: 'HEAD' })).headers.get('upload-offset'))
    expect((await send(0, 4 * MIB)).status).toBe(204)
    const beside = await usedOf(neighbour)

    await inVolume(
      `free=$(df --output=avail --block-size=1 /data | tail -1); head -c $((free - ${8 * MIB})) /dev/zero > /data/server.log`,
    )
    const refused = await send(await offsetNow())
    expect([refused.status, await refused.json()]).toMatchObject([400, { error: 'disc_quota_exceeding' }])
    // Another one is not even begun.
    expect(
      await outcomeOf(
        owner.call(files.createFileTicket, { params: { id }, body: { ...body, path: 'other.bin', size: 64 * MIB } }),
      ),
    ).toBe('disc_quota_exceeding')

    const told = async () =>
      (await owner.call(routes.listServerEvents, { params: { id }, query: { limit: 100 } })).data.filter(
        ({ action }) => action === 'SERVER_DISC_QUOTA_WARNING',
      )
    await expect.poll(async () => (await told()).length, { timeout: 40_000, interval: 500 }).toBe(1)
    const params = { userId: owner.user.id, serverId: id }
    const { notifications } = await owner.call(listServerNotifications, { params, query: {} })
    expect(notifications.map(({ type }) => type)).toContain('SERVER_DISK_QUOTA_WARNING')
    // The game goes on, and so does everybody else with all that is theirs.
    for (const server of [id, neighbour])
      expect(await owner.call(routes.getServerStatus, { params: { id: server } })).toSatisfy(isUp)
    const after = await usedOf(neighbour)
    expect(Math.abs(after.bfree - beside.bfree) * after.bsize).toBeLessThan(8 * MIB)

    await inVolume('rm /data/server.log')
    const rest = await send(await offsetNow())
    expect(rest.status, await rest.text()).toBe(204)
    const query = new URLSearchParams({ path: 'big.bin' })
    const answer = await fetch(`${api.origin}/api/v1/servers/${id}/files/content?${query}`, {
      headers: { cookie: owner.cookie() },
    })
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true)
  },
)
