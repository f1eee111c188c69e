import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
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

test.each([
  ['truncated', (whole: string) => whole.slice(0, whole.length / 2), 'holds no JSON object'],
  ['empty', () => '', 'holds no JSON object'],
  ['{}', () => '{}', 'lacks session, supervisor'],
  ['null', () => 'null', 'holds no JSON object'],
  ['a list', () => '[]', 'holds no JSON object'],
  ['with an empty key', (whole: string) => whole.replace(/"gateway": "[0-9a-f]+"/, '"gateway": ""'), 'lacks gateway'],
])('a file that is %s is named and stays as it is', (_, damage, fault) => {
  loadSecrets(dataDir)
  const file = join(dataDir, 'secrets.json')
  const damaged = damage(readFileSync(file, 'utf8'))
  writeFileSync(file, damaged)
  let message = ''
  try {
    loadSecrets(dataDir)
  } catch (error) {
    message = (error as Error).message
  }
  expect(message).toContain(file)
  expect(message).toContain(fault)
  expect(message).toContain('backup')
  expect(message).not.toMatch(/[0-9a-f]{32}|PRIVATE KEY/)
  expect(readFileSync(file, 'utf8')).toBe(damaged)
})

test.each(['postgres', 'servers'])('a missing file is not made anew where %s tells of an installation', (trace) => {
  mkdirSync(join(dataDir, trace))
  const file = join(dataDir, 'secrets.json')
  expect(() => loadSecrets(dataDir)).toThrow(`${file} is missing, but ${join(dataDir, trace)}`)
  expect(existsSync(file)).toBe(false)
})
