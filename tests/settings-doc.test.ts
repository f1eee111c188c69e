import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { describeSettings } from '../scripts/settings-doc.ts'

test('docs/settings.md is current', () => {
  const page = readFileSync(join(import.meta.dirname, '../docs/settings.md'), 'utf8')
  expect(page, 'run: node scripts/settings-doc.ts').toBe(describeSettings())
})
