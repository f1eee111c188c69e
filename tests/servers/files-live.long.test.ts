/** Files of servers in their real boxes: beside a game that runs, is frozen, or sleeps without any process. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import * as files from '@wakestone/contract/servers/files-routes'
import * as routes from '@wakestone/contract/servers/servers-routes'
import { type Caller, startTestApi, type TestApi } from '../support/api.ts'
import { ask, contentPath, createTicket, type FilesApi, linesOf } from '../support/files.ts'
import { isUp, order, prepareArtifacts, startTestWorker, topUp, untilStatus } from '../support/servers.ts'

vi.setConfig({ testTimeout: 90_000 })

let api: TestApi
let worker: Awaited<ReturnType<typeof startTestWorker>>
let owner: Caller
let id: string
const params = () => ({ id })
const asked = () => api as FilesApi

beforeAll(async () => {
  api = await startTestApi()
  const { engineVersion } = await prepareArtifacts(api)
  worker = await startTestWorker(api)
  owner = await api.signUp()
  const walletId = await topUp(api.context, owner, 5000)
  id = (await owner.call(routes.createServer, { body: order(walletId, engineVersion) })).id
  await untilStatus(owner, id, isUp)
}, 120_000)
afterAll(async () => {
  await worker?.removeAll()
  await api?.close()
})

const read = async (path: string) => (await ask(asked(), owner, contentPath(id, { path }))).text()
async function listNames(): Promise<string[]> {
  const lines = await linesOf(await ask(asked(), owner, `/api/v1/servers/${id}/files/list?hidden=1`))
  expect(lines.at(-1)).toEqual({ end: true, truncated: false })
  return lines.filter(Array.isArray).map(([name]) => name as string)
}
async function save(path: string, body: string): Promise<void> {
  const answer = await ask(asked(), owner, contentPath(id, { path }), { method: 'PUT', body })
  expect(answer.status, await answer.text()).toBe(200)
}

test('of a running game its files are read and changed; what is the supervisor’s does not exist', async () => {
  const names = await listNames()
  expect(names.length).toBeGreaterThan(0)
  expect(names).not.toContain('.wakestone')
  await save('note.txt', 'while it runs')
  expect(await read('note.txt')).toBe('while it runs')
  const own = await ask(asked(), owner, contentPath(id, { path: '.wakestone/state.json' }))
  expect(own.status).toBeGreaterThanOrEqual(400)
  expect(await owner.call(routes.getServerStatus, { params: params() })).toMatchObject({ crashed: false })
})

test('a frozen game stays frozen', async () => {
  await worker.stop() // which would thaw a game that is wanted up
  const supervisor = (await api.context.fleet.find(id))!
  await vi.waitFor(
    async () => {
      if ((await supervisor.status()).phase !== 'frozen') await supervisor.freeze().catch(() => undefined)
      expect((await supervisor.status()).phase).toBe('frozen')
    },
    { timeout: 20_000, interval: 200 },
  )
  await save('note.txt', 'while it is frozen')
  expect(await read('note.txt')).toBe('while it is frozen')
  expect((await supervisor.status()).phase).toBe('frozen')
})

test('a server that sleeps without any process is opened in a moment, and sleeps on', async () => {
  const { cluster } = worker.fleet
  await cluster.remove(id)
  await api.context.database.pool.query(
    `update servers set placed_at = null, phase = null, level = 'HIBERNATED', disk_bytes = null where id = $1`,
    [id],
  )
  expect(await read('note.txt')).toBe('while it is frozen')
  const { url } = await createTicket(owner, id, { purpose: 'upload', path: 'uploads/fine.bin', size: 5 })
  const sent = await ask(asked(), undefined, url, {
    method: 'PATCH',
    body: 'hello',
    headers: { 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' },
  })
  expect(sent.status).toBe(204)
  expect(await read('uploads/fine.bin')).toBe('hello')
  expect((await owner.call(files.getDiskStats, { params: params() })).used).toBeGreaterThan(0)
  expect(await cluster.inspect(id)).toEqual({ state: 'absent' })
  await vi.waitFor(
    async () => {
      const { rows } = await api.context.database.pool.query('select disk_bytes from servers where id = $1', [id])
      expect(rows[0].disk_bytes).toBeGreaterThan(0)
    },
    { timeout: 15_000, interval: 200 },
  )
})
