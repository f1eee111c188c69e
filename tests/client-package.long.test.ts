/** The package of the client as it is published: built, installed elsewhere, type-checked and run there. */
import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createApiKey } from '@wakestone/contract/accounts/api-keys-routes'
import { startTestApi, type TestApi } from './support/api.ts'

vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 })

const run = promisify(execFile)
const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'ws-client-'))
let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
})
afterAll(async () => {
  await api?.close()
  rmSync(folder, { recursive: true, force: true })
})

const program = (body: string) =>
  `import { createWakestone } from '@wakestone/client'
const wakestone = createWakestone({ url: process.env['SITE'] ?? '', key: process.env['KEY'] ?? '' })
${body}\n`

test('types what programs may do, and does it', async () => {
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, '@types'), { recursive: true })
  await run(process.execPath, [join(root, 'scripts/build-client.mjs'), join(modules, '@wakestone/client')])
  for (const name of ['zod', 'jsvat'])
    cpSync(join(root, 'node_modules', name), join(modules, name), { recursive: true })
  symlinkSync(join(root, 'node_modules/@types/node'), join(modules, '@types/node'))
  expect(existsSync(join(modules, '@wakestone/contract'))).toBe(false)
  const config = {
    compilerOptions: { module: 'nodenext', strict: true, noEmit: true, target: 'es2023', types: ['node'] },
  }
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  const check = () =>
    run(join(root, 'node_modules/.bin/tsc'), ['-p', folder]).then(
      () => '',
      ({ stdout }: { stdout: string }) => stdout,
    )

  writeFileSync(
    join(folder, 'good.ts'),
    program(`const games = await wakestone.listGames()\nconsole.log(games.length)`),
  )
  expect(await check()).toBe('')
  writeFileSync(
    join(folder, 'bad.ts'),
    program(`await wakestone.getServer({ params: { server: 'x' } })\nwakestone.loginLocal`),
  )
  const faults = await check()
  expect(faults).toContain("'server' does not exist")
  expect(faults).toContain("'loginLocal' does not exist")

  const owner = await api.signUp()
  const { key } = await owner.call(createApiKey, {
    params: { id: owner.user.id },
    body: { name: 'program', scopes: ['server.manage.read'], expires_at: null },
  })
  const env = { PATH: process.env['PATH'] ?? '', SITE: api.origin, KEY: key }
  const { stdout } = await run(process.execPath, [join(folder, 'good.ts')], { cwd: folder, env })
  expect(Number(stdout)).toBeGreaterThan(0)
})
