/** What a supervisor may say, and what becomes of all that it may not. */
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { namesKept } from '@wakestone/protocol/supervisor'
import { commonVersion, formatVersions, readVersions } from '@wakestone/protocol/versions'
import { SupervisorError } from './errors.ts'
import { createGate } from './gate.ts'
import { splitLines } from './lines.ts'
import { createTransport } from './transport.ts'

const serverId = 'ce6fb6f3-8a5e-4b39-bc1e-2f6c3a5b7a11'

function openGate() {
  const told: { text: string; fields: object }[] = []
  const tell = (fields: object, text: string) => void told.push({ fields, text })
  const logger = { info: tell, warn: tell } as unknown as Parameters<typeof createGate>[0]['logger']
  return { told, gate: createGate({ serverId, logger, ownPorts: new Set([4411]) }) }
}

const status = (fields: object = {}) => ({
  protocol: 1,
  serverId,
  version: '0.1.0',
  phase: 'running',
  since: new Date().toISOString(),
  installedPlan: null,
  install: null,
  installError: null,
  gamePort: 40_000,
  launchedAt: null,
  lastExit: null,
  players: { online: 1, max: 20, names: ['Steve'] },
  lastEventSeq: 7,
  ...fields,
})
const crash = (seq: number) =>
  JSON.stringify({
    seq,
    at: '1970-01-01T00:00:00.000Z',
    type: 'crashed',
    exit: { at: '9999-01-01T00:00:00.000Z', code: 1e12, signal: null, expected: false },
    crashCount: -3,
    tooManyTimes: false,
    reasons: [],
    lastLines: Array.from({ length: 1_000 }, () => 'x'.repeat(700)),
  })

describe('the gate', () => {
  test('lets nothing through that is out of bounds, whatever is said', () => {
    const { gate } = openGate()
    const anything = fc.anything({ withNullPrototype: false })
    const field = fc.constantFrom(...Object.keys(status()), 'players.online', 'players.names')
    fc.assert(
      fc.property(field, fc.oneof(anything, fc.double(), fc.string({ unit: 'binary' }), fc.date()), (name, value) => {
        const said = structuredClone(status()) as Record<string, unknown> & { players: Record<string, unknown> }
        const given = value instanceof Date && !Number.isNaN(value.getTime()) ? value.toISOString() : value
        const [outer, inner] = name.split('.') as [string, string?]
        if (inner === undefined) said[outer] = given
        else said.players[inner] = name === 'players.names' && !Array.isArray(given) ? [given] : given
        let read
        try {
          read = gate.readStatus(JSON.parse(JSON.stringify(said)))
        } catch (error) {
          expect(error).toMatchObject({ fault: 'unreadable' })
          return
        }
        expect(read.players.online).toBeGreaterThanOrEqual(0)
        expect(read.players.online).toBeLessThanOrEqual(100_000)
        expect(read.players.names.length).toBeLessThanOrEqual(namesKept)
        expect(Date.parse(read.since)).toBeLessThanOrEqual(Date.now())
        expect(Date.parse(read.since)).toBeGreaterThanOrEqual(Date.UTC(2020))
        for (const text of [read.version, ...read.players.names]) {
          expect(text.length).toBeLessThanOrEqual(40)
          expect(text.isWellFormed()).toBe(true)
          expect(text).not.toMatch(/[\0-\x1f]/)
        }
      }),
      { numRuns: 2_000 },
    )
  })

  test('believes no port of ours, nor one that is none', () => {
    const { gate } = openGate()
    const portOf = (gamePort: unknown) => gate.readStatus(status({ gamePort })).gamePort
    expect([40_000, 4411, 80, 0, -1, 70_000, null].map(portOf)).toEqual([40_000, null, null, null, null, null, null])
    // What the driver has assigned is all that counts, as long as a game lives at all.
    expect(gate.readStatus(status({ gamePort: 4411 }), { port: 50_000 }).gamePort).toBe(50_000)
    expect(gate.readStatus(status({ gamePort: null }), { port: 50_000 }).gamePort).toBeNull()
  })

  test('passes over what a later version says, and tells of it once', () => {
    const { gate, told } = openGate()
    for (let seq = 1; seq <= 5; seq++) {
      expect(gate.readStatus(status({ phase: 'dreaming', protocol: 2, mood: 'good' }))).not.toHaveProperty('mood')
      expect(gate.readEvent(JSON.stringify({ seq, at: 'now', type: 'weather' }))).toEqual({ type: 'passed_over', seq })
      expect(gate.readMessage('{"type":"smell"}')).toBeUndefined()
    }
    expect(told.map(({ fields }) => (fields as { unknown: string }).unknown)).toEqual([
      'phase dreaming',
      'event weather',
      'message smell',
    ])
    for (let word = 0; word < 1_000; word++) gate.readMessage(JSON.stringify({ type: `word${word}` }))
    expect(told.length).toBeLessThanOrEqual(10)
  })

  test('a version that is not shared is unreadable, and no sign of death', () => {
    const { gate } = openGate()
    for (const protocol of [0, 4, 99])
      expect(() => gate.readStatus(status({ protocol }))).toThrow(expect.objectContaining({ fault: 'unreadable' }))
    expect(gate.readStatus(status({ protocol: 2 })).protocol).toBe(2)
  })

  test('events come at a rate, each of a bounded size; the rest is dropped and counted', () => {
    const { gate, told } = openGate()
    const read = Array.from({ length: 200 }, (_, index) => gate.readEvent(crash(index + 1)))
    const taken = read.filter(({ type }) => type === 'crashed')
    expect(taken.length).toBeGreaterThan(2) // as many as a game may crash before it is given up
    expect(taken.length).toBeLessThan(20)
    expect(read.map(({ seq }) => seq)).toEqual(read.map((_, index) => index + 1))
    for (const event of taken) expect(JSON.stringify(event).length).toBeLessThan(30_000)
    expect(taken[0]).toMatchObject({ crashCount: 0, exit: { code: null } })
    expect(told).toHaveLength(1)
    expect(told[0]).toMatchObject({ fields: { serverId, dropped: 1 } })
  })
})

test('versions: the newest of both is spoken, whoever asks', () => {
  const range = fc
    .tuple(fc.nat(50), fc.nat(50))
    .map(([one, other]) => ({ oldest: Math.min(one, other), newest: Math.max(one, other) }))
  fc.assert(
    fc.property(range, range, (one, other) => {
      const common = commonVersion(one, other)
      expect(commonVersion(other, one)).toBe(common)
      const speak = ({ oldest, newest }: typeof one, version: number) => oldest <= version && version <= newest
      const shared = Array.from({ length: 51 }, (_, version) => version).filter((v) => speak(one, v) && speak(other, v))
      expect(common).toBe(shared.at(-1))
      expect(readVersions(formatVersions(one))).toEqual(one)
    }),
  )
  for (const header of [undefined, '', '2', '3-1', '1-x', ['1-2']])
    expect(readVersions(header)).toEqual({ oldest: 1, newest: 1 })
})

test('lines are cut out of bytes however they come, and none grows without an end', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string()), fc.array(fc.nat(7)), async (texts, cuts) => {
      const lines = texts.map((text) => text.replaceAll('\n', ' ').toWellFormed())
      const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''))
      async function* pieces() {
        let at = 0
        for (const cut of cuts) yield bytes.subarray(at, (at += cut))
        yield bytes.subarray(at)
      }
      const read: string[] = []
      for await (const line of splitLines(pieces(), 1_000)) read.push(line)
      expect(read).toEqual(lines)
    }),
  )
  async function* endless() {
    for (;;) yield Buffer.alloc(100, 'a')
  }
  await expect(splitLines(endless(), 1_000).next()).rejects.toMatchObject({ fault: 'unreadable' })
})

describe('a call', () => {
  async function talkTo(serve: ((socket: Socket) => void) | undefined) {
    const folder = mkdtempSync(join(tmpdir(), 'wst-'))
    const path = join(folder, 's')
    const sockets = new Set<Socket>()
    const server = createServer((socket) => {
      sockets.add(socket.on('error', () => undefined))
      socket.once('data', () => serve?.(socket))
    })
    if (serve !== undefined) await new Promise<void>((resolve) => server.listen(path, resolve))
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy()
      server.close()
      rmSync(folder, { recursive: true, force: true })
    })
    const began = performance.now()
    const { call } = createTransport({
      endpoint: { kind: 'unix', path },
      authorization: () => 'Bearer x',
      closing: new AbortController().signal,
      deadline: 300,
    })
    const outcome = await call('GET', '/v1/status').catch((error: unknown) => error)
    return { outcome, took: performance.now() - began }
  }
  const fault = (outcome: unknown) => (outcome instanceof SupervisorError ? outcome.fault : outcome)
  const every = (socket: Socket, text: string, milliseconds: number) => {
    const timer = setInterval(() => socket.write(text), milliseconds)
    socket.on('close', () => clearInterval(timer))
  }

  test.each<[string, (socket: Socket) => void, string]>([
    [
      'bytes that trickle',
      (socket) => void (socket.write('HTTP/1.1 200 OK\r\n\r\n{'), every(socket, ' ', 20)),
      'unreadable',
    ],
    [
      'a head that trickles',
      (socket) => void (socket.write('HTTP/1.1 200 OK\r\nA: '), every(socket, 'b', 20)),
      'unreached',
    ],
    ['promises without an end', (socket) => every(socket, 'HTTP/1.1 100 Continue\r\n\r\n', 5), 'unreached'],
    [
      'an answer that never ends',
      (socket) => void (socket.write('HTTP/1.1 200 OK\r\n\r\n'), every(socket, 'a'.repeat(60_000), 1)),
      'unreadable',
    ],
    ['no HTTP', (socket) => void socket.end('what?\r\n\r\n'), 'unreadable'],
    ['no JSON', (socket) => void socket.end('HTTP/1.1 200 OK\r\n\r\n<html>'), 'unreadable'],
    ['silence', () => undefined, 'unreached'],
    ['a closed door', (socket) => void socket.destroy(), 'unreached'],
    ['a no', (socket) => void socket.end('HTTP/1.1 409 No\r\n\r\n{"error":"not now"}'), 'refused'],
  ])('answered with %s ends in time', async (_name, serve, expected) => {
    const { outcome, took } = await talkTo(serve)
    expect(fault(outcome)).toBe(expected)
    expect(took).toBeLessThan(3_000)
  })

  test('to nobody tells that nobody was reached', async () => {
    expect(fault((await talkTo(undefined)).outcome)).toBe('unreached')
  })
})
