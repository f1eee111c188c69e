/** How Java ends, told by a real one: it is looked for on this machine, and the tests are left out where there is none. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SupervisorEvent } from '@wakestone/protocol/supervisor'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { packageFolder, writeInstalled } from './install/record.ts'
import { parseCounters, readJvmCounters, sumCounters } from './jvm-counters.ts'
import { createSupervisor } from './supervisor.ts'
import { isLong, someOf } from '../../../tests/support/long.ts'
import { makeManifest, tempFolder } from './test-support/temp.ts'
import { volumePaths } from './volume.ts'

const has = (program: string) => {
  try {
    execFileSync(program, ['-version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
const hasJava = has('java') && has('javac')
if (!hasJava) console.warn('NO JAVA HERE: how Java ends is not tested. Needed: java and javac.')

const STAND_IN = `
import java.util.*;
public class StandIn {
  static List<byte[]> kept = new ArrayList<>();
  public static void main(String[] args) throws Exception {
    Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("world saved")));
    switch (args[0]) {
      case "hog": Thread worker = new Thread(() -> { while (true) kept.add(new byte[1 << 20]); }); worker.start(); break;
      case "watchdog":
        System.out.println("[Server Watchdog/FATAL]: A single server tick took 60.00 seconds (should be max 0.05)");
        System.out.println("[Server Watchdog/FATAL]: Considering it to be crashed, server will forcibly shutdown.");
        System.exit(1);
      case "hold": for (int i = 0; i < 20; i++) kept.add(new byte[1 << 20]); System.gc(); System.out.println("holding");
    }
    Thread.sleep(600000);
  }
}`

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wsj-'))
  if (!hasJava) return
  writeFileSync(join(folder, 'StandIn.java'), STAND_IN)
  execFileSync('javac', ['-d', folder, join(folder, 'StandIn.java')])
}, 60_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function run(what: string, flags: string[] = []) {
  const volume = tempFolder()
  const paths = volumePaths(volume)
  const manifest = makeManifest('stand-in', [])
  mkdirSync(packageFolder(paths, manifest), { recursive: true })
  const command = ['java', '-Xmx64M', ...flags, '-cp', folder, 'StandIn', what]
  const plan = { hash: 'x', packages: [manifest], files: [], launch: { command, env: {}, stopCommand: 'stop' } }
  writeInstalled(paths, { plan, configured: true, sharedFiles: {}, staleFiles: [] })
  const supervisor = createSupervisor({
    config: {
      serverId: '5b9ac2a0-1f3f-4c8e-9d2f-2f1f5f3a7c11',
      listen: { port: 0 },
      publicKey: '',
      volume,
      limits: { memoryBytes: 5e8, cpu: 1, diskBytes: 1e9, players: 5 },
      cgroup: null,
    },
    log: () => {},
    backOffMs: [600_000],
  })
  onTestFinished(async () => {
    supervisor.kill()
    await supervisor.close(0)
  })
  let crash: Extract<SupervisorEvent, { type: 'crashed' }> | undefined
  supervisor.events.follow(0, (line) => {
    const event = JSON.parse(line) as SupervisorEvent
    if (event.type === 'crashed') crash = event
  })
  await supervisor.start()
  const crashed = () => vi.waitFor(() => expect(crash).toBeDefined(), 30_000).then(() => crash!)
  return { supervisor, crashed, lines: () => supervisor.console.lastTexts(100) }
}

describe.skipIf(!hasJava)('Java', { timeout: 60_000 }, () => {
  test.runIf(isLong)('out of heap in any thread ends with the world saved, and says so', async () => {
    const { crashed, lines } = await run('hog', ['-XX:OnOutOfMemoryError=kill -15 %p'])
    expect(await crashed()).toMatchObject({
      exit: { code: 143, expected: false },
      reasons: ['out_of_memory'],
      crash: { tag: 'out_of_memory', details: { area: 'Java heap space' }, exit: { code: 143, signal: null } },
    })
    expect(lines()).toContain('world saved')
  })

  test('with an option that it does not know', async () => {
    const { crashed } = await run('hold', ['-XX:+UseNothingOfTheKind'])
    const { crash, exit } = await crashed()
    expect([crash, exit.code]).toMatchObject([{ tag: 'java_options', details: { option: 'UseNothingOfTheKind' } }, 1])
  })

  test('ended by its own watchdog', async () => {
    const { crashed } = await run('watchdog')
    expect((await crashed()).crash).toMatchObject({ tag: 'watchdog', details: { seconds: '60.00' }, exit: { code: 1 } })
  })

  test.each(someOf(['-XX:+UseG1GC', '-XX:+UseSerialGC', '-XX:+UseParallelGC'], 1))(
    'shows its heap live: %s',
    async (collector) => {
      const { supervisor, lines } = await run('hold', [collector])
      await vi.waitFor(() => expect(lines()).toContain('holding'), 30_000)
      await vi.waitFor(() => {
        const heap = supervisor.heap()
        expect(heap?.heapUsed).toBeGreaterThan(19 * 2 ** 20)
        expect(heap?.heapUsed).toBeLessThanOrEqual(heap!.heapMax)
        expect(heap!.heapMax / 2 ** 20).toBeGreaterThan(60)
        expect(heap!.heapMax / 2 ** 20).toBeLessThan(65)
        expect(heap?.gcTime).toBeGreaterThan(0)
        expect(heap?.gcTime).toBeLessThan(30)
      }, 10_000)
    },
  )
})

test('counters of any content are read without a fault', () => {
  const head = Buffer.alloc(32)
  head.writeUInt32BE(0xcafec0c0, 0)
  head[4] = 1
  fc.assert(
    fc.property(fc.integer(), fc.integer(), fc.uint8Array({ maxLength: 2_000 }), (start, count, rest) => {
      head.writeInt32LE(start % 100, 24)
      head.writeInt32LE(count, 28)
      const sums = sumCounters(parseCounters(Buffer.concat([head, rest])))
      if (sums) expect(Number.isFinite(sums.heapUsed)).toBe(true)
    }),
    { numRuns: 2_000 },
  )
  expect(sumCounters(parseCounters(Buffer.from('#!/bin/sh')))).toBeUndefined()
  expect(readJvmCounters(1, '/nowhere')).toBeNull()
})
