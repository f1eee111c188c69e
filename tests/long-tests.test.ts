/** `npm run test:long` finds by itself what has a longer version. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const command = join(import.meta.dirname, '../scripts/test-long.mjs')
const run = (argument: string) => spawnSync(process.execPath, [command, argument], { encoding: 'utf8' })

test('files that ask whether to be long, themselves or by what they use', () => {
  const files = run('--list').stdout.trimEnd().split('\n')
  const has = (name: string) => files.some((file) => file.endsWith(`/${name}.test.ts`))
  expect(['login-timing', 'redemptions/crash', 'install', 'e2e/admin/servers'].filter((name) => !has(name))).toEqual([])
  // By the crashes that it plans, and by axe.
  expect(['refunds/crash', 'e2e/accessibility'].filter((name) => !has(name))).toEqual([])
  // By their names.
  expect(['e2e/servers/asleep.long', 'servers/work-killed.long'].filter((name) => !has(name))).toEqual([])
  expect(['database', 'e2e/keyboard'].filter(has)).toEqual([])
})

test('says so when nothing is meant', () => {
  const { status, stdout, stderr } = run('no-such-file')
  expect(stderr).toContain('no file of long tests matches no-such-file')
  expect(stdout.trimEnd().split('\n').at(-1)).toBe('0 passed, 1 failed')
  expect(status).toBe(1)
})
