import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadSecrets } from './secrets.ts'

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'ws-secrets-'))
})
afterEach(() => rmSync(dataDir, { recursive: true }))

test('are made once and stay', () => {
  const first = loadSecrets(dataDir)
  expect(loadSecrets(dataDir)).toEqual(first)
  expect(loadSecrets(mkdtempSync(join(dataDir, 'other-'))).factors).not.toBe(first.factors)
})

test('of an older installation gain the key of second factors, the same for all who start at once', () => {
  const file = join(dataDir, 'secrets.json')
  const { factors: _, ...older } = loadSecrets(dataDir)
  const start = () => {
    writeFileSync(file, JSON.stringify(older))
    return loadSecrets(dataDir)
  }
  const completed = start()
  expect(completed).toEqual({ ...older, factors: expect.stringMatching(/^[0-9a-f]{64}$/) })
  expect(start()).toEqual(completed)
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(completed)
  expect(statSync(file).mode & 0o777).toBe(0o600)
})
