import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

test('docs/licences.md is current', () => {
  const command = join(import.meta.dirname, '../scripts/licences-doc.mjs')
  expect(spawnSync(process.execPath, [command, '--check']).status, 'run: node scripts/licences-doc.mjs').toBe(0)
})
