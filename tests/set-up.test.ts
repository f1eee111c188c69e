// The set-up installs Node 24, so it has to run on the Node that the machine comes with.
import { execFileSync } from 'node:child_process'
import { delimiter } from 'node:path'
import { expect, test } from 'vitest'

const root = new URL('..', import.meta.url).pathname

/** Without our own Node, which test runs put first. */
const systemPath = (process.env['PATH'] ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules'))
  .join(delimiter)

test('the set-up loads on the Node of the machine', () => {
  const load = "import('./scripts/setup.mjs').then(({ setUp }) => console.log(typeof setUp))"
  const options = { cwd: root, env: { PATH: systemPath }, encoding: 'utf8' as const }
  expect(execFileSync('node', ['-e', load], options).trim()).toBe('function')
})
