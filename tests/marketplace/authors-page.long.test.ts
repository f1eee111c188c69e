/** The page for authors: what its commands do, as they stand there. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createApiKey } from '@wakestone/contract/accounts/api-keys-routes'
import { listReleases } from '@wakestone/contract/marketplace/releases-routes'
import { inspectRelease } from '../../apps/server/src/features/marketplace/releases/inspection.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { signUpAuthor } from '../support/marketplace.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 })

const page = readFileSync(new URL('../../docs/authors.md', import.meta.url), 'utf8')
let api: TestApi
let folder: string

beforeAll(async () => {
  api = await startTestApi()
  folder = mkdtempSync(join(tmpdir(), 'ws-author-'))
})
afterAll(async () => {
  await api?.close()
  rmSync(folder, { recursive: true, force: true })
})

test('the commands of the page make a project and a release that passes the gate', async () => {
  const author = await signUpAuthor(api)
  const { key } = await author.call(createApiKey, {
    params: { id: author.user.id },
    body: {
      name: 'first',
      scopes: ['marketplace.project-create', 'marketplace.project-manage.read', 'marketplace.project-manage.edit'],
      expires_at: null,
    },
  })
  const script = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, commands]) => commands).join('\n')
  const env = { PATH: process.env['PATH'] ?? '', SITE: api.origin, KEY: key }
  const { stdout } = await promisify(execFile)('sh', ['-eu', '-c', script], { cwd: folder, env })
  const slug = stdout.split('\n')[0] ?? ''
  expect(slug).toMatch(/^first-lantern/)
  const list = () => author.call(listReleases, { params: { slug }, query: {} })
  const [release] = (await list()).releases
  expect(release).toMatchObject({ version: '1.0.0', state: 'checking' })
  await inspectRelease(api.context, release!.id)
  expect((await list()).releases[0]).toMatchObject({ state: 'waiting' })
})
