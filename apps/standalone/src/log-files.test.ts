import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { boundForeignLog } from './log-file.ts'
import { openPartLog, readable } from './log-files.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ws-logs-'))
})
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true })
})

const open = () => openPartLog({ folder, part: 'api', isQuiet: () => true })
const written = () => {
  const path = join(folder, 'api.log')
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

test('a log entry becomes one readable line, with the fault below it', () => {
  const entry = { level: 50, time: '2026-11-20T14:03:22.123Z', part: 'api', server: 'x', tries: 3, msg: 'lost' }
  expect(readable(JSON.stringify(entry))).toEqual({
    level: 50,
    line: '2026-11-20T14:03:22.123Z error lost server=x tries=3',
  })
  const error = { type: 'Error', message: 'gone', stack: 'Error: gone\n    at here' }
  expect(readable(JSON.stringify({ level: 40, msg: 'lost', error })).line).toBe(
    'warn lost\n    Error: gone\n        at here',
  )
})

test.each(['plain words', '{"no":"level"}', '7', 'null', '{"broken'])('%s stays as it is', (line) => {
  expect(readable(line)).toEqual({ level: 0, line })
})

test('a name can neither begin a line of its own, nor pass for another field, nor steer a terminal', () => {
  const line = (name: string) => readable(JSON.stringify({ level: 30, name, msg: 'turned a player away' })).line
  expect(line('Steve')).toBe('info turned a player away name=Steve')
  expect(line('x\n2026-11-20T14:03:22.123Z info all well')).toBe(
    String.raw`info turned a player away name="x\n2026-11-20T14:03:22.123Z info all well"`,
  )
  expect(line('x situation=running')).toBe('info turned a player away name="x situation=running"')
  expect(line('\u001b[2J')).toBe(String.raw`info turned a player away name=\u001b[2J`)
  const steers = /(?!\t)[\p{Cc}\u2028-\u202e\u2066-\u2069]/u
  const anything = fc.string({ unit: 'binary', maxLength: 12 })
  fc.assert(
    fc.property(anything, anything, (name, msg) => {
      expect(readable(JSON.stringify({ level: 30, name, [name]: 1, msg })).line).not.toMatch(steers)
      const faulty = readable(JSON.stringify({ level: 50, msg: 'fault', err: { stack: `Error: ${msg}` } })).line
      for (const part of faulty.split('\n').slice(1)) expect(part).toMatch(/^ {4}/)
      expect(faulty.replaceAll('\n', '')).not.toMatch(steers)
    }),
    { numRuns: 20 },
  )
})

test('an entry of a part stays one line, whatever a text in it holds, and however it arrives', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const log = open()
  const stream = new PassThrough()
  log.follow(stream)
  const forged = JSON.stringify({ level: 60, time: '2026-11-20T14:03:22.123Z', msg: 'forged' })
  const name = `\u2028${forged}\u2029${forged}\u0085${forged}`
  const bytes = Buffer.from(`${JSON.stringify({ level: 30, name, msg: 'turned a player away' })}\nthe last`)
  for (const byte of bytes) stream.write(Buffer.of(byte))
  stream.end()
  await vi.waitUntil(() => written().includes('the last'))
  expect(written().split('\n')).toEqual([expect.stringMatching(/^info turned a player away name=/), 'the last', ''])
  expect(log.lastFault()).toBe(undefined)
})

test('on a full disk lines are dropped and counted, and written again once there is room', async () => {
  const told = vi.spyOn(console, 'error').mockImplementation(() => {})
  symlinkSync('/dev/full', join(folder, 'api.log'))
  const log = open()
  const stream = new PassThrough()
  log.follow(stream)
  for (let count = 0; count < 50; count++) {
    stream.write(`line ${count}\n`)
    await delay(1)
  }
  await vi.waitUntil(() => told.mock.calls.length > 0)
  rmSync(join(folder, 'api.log'))
  await vi.waitUntil(
    () => {
      stream.write('again\n')
      return written().includes('again')
    },
    { timeout: 10_000, interval: 50 },
  )
  expect(written()).toMatch(/^\(\d+ lines could not be written\)\nagain\n/)
  expect(told.mock.calls).toEqual([['api: its log cannot be written (ENOSPC); the part goes on without']])
})

test('a file is put aside before it grows without end, whoever writes it', async () => {
  const full = Buffer.alloc(20 * 1024 * 1024 + 1, 'x')
  writeFileSync(join(folder, 'api.log'), full)
  open().write('begins anew')
  await vi.waitUntil(() => written() === 'begins anew\n')
  expect(statSync(join(folder, 'api.log.1')).size).toBe(full.length)

  writeFileSync(join(folder, 'postgres.log'), full)
  boundForeignLog(join(folder, 'postgres.log'))
  expect(statSync(join(folder, 'postgres.log')).size).toBe(0)
  expect(statSync(join(folder, 'postgres.log.1')).size).toBe(full.length)
})
