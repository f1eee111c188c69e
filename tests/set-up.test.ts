// Whoever starts it has the Node of their distribution: Node 24 comes with the set-up, so the set-up must do without.
import { execFileSync } from 'node:child_process'
import { delimiter } from 'node:path'
import { expect, test } from 'vitest'

const root = new URL('..', import.meta.url).pathname

/** The machine's own Node, which is older than ours on most. */
const systemPath = (process.env['PATH'] ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules'))
  .join(delimiter)

test('the set-up loads on the Node of the machine', () => {
  const load = "import('./scripts/setup.mjs').then(({ setUp }) => console.log(typeof setUp))"
  const options = { cwd: root, env: { PATH: systemPath }, encoding: 'utf8' as const }
  expect(execFileSync('node', ['-e', load], options).trim()).toBe('function')
})
