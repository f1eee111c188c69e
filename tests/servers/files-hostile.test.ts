/** A customer's own files service against the front door: nothing of ours falls over, and nobody else notices. */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { errorBodySchema } from '@wakestone/contract/errors'
import { lineEndSchema } from '@wakestone/contract/servers/files'
import * as routes from '@wakestone/contract/servers/files-routes'
import type { Caller } from '../support/api.ts'
import { ask, contentPath, type FilesApi, rentWithFiles, startFilesApi } from '../support/files.ts'
import { isLong } from '../support/long.ts'

const seed = Number(process.env['HOSTILE_SEED'] ?? Math.floor(Math.random() * 1e6))
const requests = isLong ? 150 : 16

let api: FilesApi
let villain: Caller
let honest: Caller
let villains: string
let honests: string

beforeAll(async () => {
  api = await startFilesApi({ LIMIT_FILE_CHANGES: '0' })
  honest = await api.signUp()
  villain = await api.signUp()
  honests = await rentWithFiles(api, honest, { 'a.txt': 'mine' })
  api.cluster.useFiles(join(import.meta.dirname, '../support/hostile-files.ts'), String(seed))
  villains = await rentWithFiles(api, villain)
  await ask(api, villain, contentPath(villains, { path: 'a' })).catch(() => undefined) // has it come up
  api.cluster.useFiles(join(import.meta.dirname, '../../apps/files/src/main.ts'))
}, 120_000)
afterAll(() => api?.close())

test('answers are those of the contract, or an end of the connection', { timeout: 60_000 }, async () => {
  console.log(`HOSTILE_SEED=${seed}`)
  const base = `/api/v1/servers/${villains}/files`
  const post = (path: string, body: object) =>
    ask(api, villain, `${base}/${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
      signal: AbortSignal.timeout(10_000),
    })
  const get = (path: string) => ask(api, villain, `${base}/${path}`, { signal: AbortSignal.timeout(10_000) })
  const tries = [
    () => get('list?path='),
    () => get('stat?path=a'),
    () => get('statfs'),
    () => get('trash'),
    () => get('jobs'),
    () => get('jobs/x/stream'),
    () => get('search?content=x'),
    () => get('content?path=a'),
    () => get('content?path=a&startByte=1&endByte=5'),
    () => get('archive/entries?path=a'),
    () => get('log'),
    () => get('revisions?path=a'),
    () => post('tickets', { purpose: 'upload', path: 'a', size: 10 }),
    () => post('tickets', { purpose: 'read', path: 'a' }),
    () => post('move', { from: ['a'], to: 'b' }),
    () => post('jobs', { kind: 'delete', paths: ['a'] }),
  ]
  const before = process.memoryUsage().rss
  for (let turn = 0; turn < requests; turn++) {
    const one = tries[turn % tries.length]!
    try {
      const answer = await one()
      expect(answer.headers.get('set-cookie')).toBeNull()
      expect(answer.headers.get('location')).toBeNull()
      if (answer.status >= 400) {
        const { error } = errorBodySchema.parse(await answer.json())
        expect(['internal_error', 'unauthorized', 'step_up_required']).not.toContain(error)
      } else if (answer.headers.get('content-type') === 'application/x-ndjson') {
        const lines = (await answer.text()).trimEnd().split('\n')
        expect(lineEndSchema.safeParse(JSON.parse(lines.at(-1)!)).success).toBe(true)
      } else if (answer.headers.get('content-type')?.startsWith('application/octet-stream')) {
        const reader = answer.body!.getReader()
        for (let size = 0; size < 5_000_000;) {
          const { value, done } = await reader.read()
          if (done) break
          size += value.length
        }
        await reader.cancel()
      } else await answer.json()
    } catch (error) {
      if ((error as Error).name === 'AssertionError') throw error
      expect((error as Error).message).toMatch(/terminated|fetch failed|timeout/)
    }
  }
  expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 * 1024)
  expect(await (await ask(api, honest, contentPath(honests, { path: 'a.txt' }))).text()).toBe('mine')
  const stats = await honest.call(routes.getDiskStats, { params: { id: honests } })
  expect(stats.used).toBeGreaterThan(0)
})
