/** In production nothing starts without a wall that was not allowed to be missing. */
import { spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, mkdtempSync, rmdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { canPassPackets } from '#src/adapters/clusters/process/test-support/machine.ts'

vi.setConfig({ testTimeout: 60_000 })

const ORDINARY = 64_124

const production = { NODE_ENV: 'production', PUBLIC_URL: 'http://localhost:3000' }
/** Runs the check as an ordinary user, in these cgroups. */
function openCheck() {
  const dataDir = mkdtempSync(join(tmpdir(), 'wsw-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  chownSync(dataDir, ORDINARY, ORDINARY)
  return (variables: Record<string, string>, cgroups: string[] = []) => {
    const enter = 'while [ "$1" != -- ]; do echo $$ > "$1/cgroup.procs" || exit 9; shift; done; shift; exec "$@"'
    const user = ['setpriv', `--reuid=${ORDINARY}`, `--regid=${ORDINARY}`, '--clear-groups', '--']
    const program = [process.execPath, '--no-warnings', join(import.meta.dirname, 'walls.ts')]
    const env = { PATH: process.env['PATH'], DATA_DIR: dataDir, ...variables }
    const args = ['-c', enter, 'sh', ...cgroups, '--', ...user, ...program]
    const { status, stdout, stderr } = spawnSync('/bin/sh', args, { env, cwd: '/', encoding: 'utf8' })
    return { status, text: stdout + stderr }
  }
}

test.runIf(canPassPackets('pasta'))('a missing wall is named, and refused unless it is allowed by name', () => {
  const check = openCheck()
  const refused = check(production)
  expect(refused.text).toContain('no wall around the disk: a game can write more than its plan has')
  expect(refused.text).not.toContain('no wall around the network')
  expect(refused.text).toContain('no wall around the memory')
  expect(refused.status).toBe(1)
  expect(check({ ...production, ALLOW_MISSING_WALLS: 'memory, disk' })).toMatchObject({ status: 0 })
  expect(check({}).status).toBe(0)
  const unknown = check({ ...production, ALLOW_MISSING_WALLS: 'everything' })
  expect([unknown.status, unknown.text]).toEqual([expect.any(Number), expect.stringContaining('ALLOW_MISSING_WALLS')])
  expect(unknown.status).not.toBe(0)
})

const version1 = ['memory', 'cpu', 'cpuacct', 'pids'].map((name) => `/sys/fs/cgroup/${name}`)
test.runIf(canPassPackets('pasta') && version1.every((folder) => existsSync(join(folder, 'cgroup.procs'))))(
  'an ordinary user has limits in cgroups that were given to it',
  () => {
    const check = openCheck()
    const given = version1.map((folder) => join(folder, `wst-${process.pid}`))
    // What ran in them may need a moment to be gone.
    onTestFinished(() =>
      vi.waitFor(() => given.forEach((folder) => [`${folder}/wakestone`, folder].forEach(removeFolder)), 5_000),
    )
    for (const folder of given) {
      mkdirSync(folder)
      chownSync(folder, ORDINARY, ORDINARY)
    }
    const variables = { ...production, ALLOW_MISSING_WALLS: 'disk' }
    expect(check(variables, given)).toEqual({ status: 0, text: expect.not.stringContaining('around the memory') })
  },
)

function removeFolder(path: string) {
  if (existsSync(path)) rmdirSync(path)
}
