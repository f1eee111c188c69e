/** In production nothing starts without a wall that was not allowed to be missing. */
import { spawnSync } from 'node:child_process'
import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const ORDINARY = 64_124

test.runIf(process.getuid?.() === 0)('a missing wall is named, and refused unless it is allowed by name', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'wsw-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  chownSync(dataDir, ORDINARY, ORDINARY)
  const check = (variables: Record<string, string>) => {
    const user = [`--reuid=${ORDINARY}`, `--regid=${ORDINARY}`, '--clear-groups', '--']
    const program = [process.execPath, '--no-warnings', join(import.meta.dirname, 'walls.ts')]
    const env = { PATH: process.env['PATH'], DATA_DIR: dataDir, ...variables }
    const { status, stdout, stderr } = spawnSync('setpriv', [...user, ...program], { env, cwd: '/', encoding: 'utf8' })
    return { status, text: stdout + stderr }
  }
  const production = { NODE_ENV: 'production', PUBLIC_URL: 'http://localhost:3000' }
  const refused = check(production)
  expect(refused.text).toContain('no wall around the disk: a game can write more than its plan has')
  expect(refused.text).not.toContain('no wall around the network')
  expect(refused.status).toBe(1)
  expect(check({ ...production, ALLOW_MISSING_WALLS: 'memory' }).status).toBe(1)
  expect(check({ ...production, ALLOW_MISSING_WALLS: 'memory, disk' })).toMatchObject({ status: 0 })
  expect(check({}).status).toBe(0)
  const unknown = check({ ...production, ALLOW_MISSING_WALLS: 'everything' })
  expect([unknown.status, unknown.text]).toEqual([expect.any(Number), expect.stringContaining('ALLOW_MISSING_WALLS')])
  expect(unknown.status).not.toBe(0)
})
