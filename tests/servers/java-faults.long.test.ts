/**
 * A real Java that fails, from the machine to the panel: what is told of the crash, and what is said to help against it.
 * Left out where there is no Java.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { getLastCrash } from '@wakestone/contract/servers/crash-routes'
import * as routes from '@wakestone/contract/servers/servers-routes'
import { mendsOf } from '@wakestone/minecraft/crash-mends'
import { type Caller, startTestApi, type TestApi } from '../support/api.ts'
import { giveCommand } from '../support/own-plan.ts'
import { createProgramCluster, type ProgramCluster } from '../support/program-cluster.ts'
import { order, prepareArtifacts, startTestWorker, topUp } from '../support/servers.ts'

const has = (program: string, option: string) => {
  try {
    execFileSync(program, [option], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
const hasJava = has('java', '-version') && has('javac', '-version')
const canLimit = has('prlimit', '--version')
if (!hasJava) console.warn('NO JAVA HERE: its faults are not seen in the panel. Needed: java and javac.')
if (!canLimit) console.warn('NO prlimit HERE: faults of Java are not seen in the panel. Needed: util-linux.')

/** Fills its heap beside the thread that counts, as a mod does; or counts ticks and finds that one took too long. */
const program = `
import java.util.*;
public class Faulty {
  static List<byte[]> kept = new ArrayList<>();
  public static void main(String[] args) throws Exception {
    Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("[12:00:00 INFO]: Saving worlds")));
    if (args[0].equals("hog")) new Thread(() -> { while (true) kept.add(new byte[1 << 20]); }).start();
    if (args[0].equals("watchdog")) {
      System.out.println("[Server Watchdog/FATAL]: A single server tick took 60.00 seconds (should be max 0.05)");
      System.out.println("[Server Watchdog/FATAL]: Considering it to be crashed, server will forcibly shutdown.");
      System.exit(1);
    }
    Thread.sleep(600000);
  }
}`

let folder: string
let cluster: ProgramCluster
let api: TestApi
let worker: Awaited<ReturnType<typeof startTestWorker>>
let owner: Caller
let engineVersion: string
const ids: string[] = []

const java = (flags: string[], what: string) => ['java', ...flags, '-cp', folder, 'Faulty', what]
const faults = {
  'its heap is exhausted': {
    command: () => java(['-Xmx64M', '-XX:OnOutOfMemoryError=kill -15 %p'], 'hog'),
    crash: { tag: 'out_of_memory', details: { area: 'Java heap space' }, exit: { code: 143, signal: null } },
    says: 'Saving worlds',
  },
  'its watchdog ends it': {
    command: () => java(['-Xmx64M'], 'watchdog'),
    crash: { tag: 'watchdog', details: { seconds: '60.00' }, exit: { code: 1, signal: null } },
    says: 'forcibly shutdown',
  },
  'its heap is larger than the memory': {
    command: () => ['prlimit', '--as=1500000000', ...java(['-Xms3G', '-Xmx3G'], 'idle')],
    crash: { tag: 'out_of_memory', exit: { code: 1, signal: null } },
    says: 'Could not reserve enough space',
  },
}

beforeAll(async () => {
  if (!hasJava) return
  folder = mkdtempSync(join(tmpdir(), 'wsjf-'))
  writeFileSync(join(folder, 'Faulty.java'), program)
  execFileSync('javac', ['-d', folder, join(folder, 'Faulty.java')])
  api = await startTestApi({}, { openCluster: (publicKey) => (cluster = createProgramCluster(publicKey)) })
  cluster.use(join(import.meta.dirname, '../../apps/supervisor/src/main.ts'))
  ;({ engineVersion } = await prepareArtifacts(api))
  owner = await api.signUp()
  const walletId = await topUp(api.context, owner, 50_000)
  for (const { command } of Object.values(faults)) {
    const { id } = await owner.call(routes.createServer, { body: order(walletId, engineVersion) })
    ids.push(id)
    await giveCommand(api, id, command())
  }
  worker = await startTestWorker(api)
}, 120_000)
afterAll(async () => {
  await worker?.stop()
  cluster?.close()
  await api?.close()
  if (folder) rmSync(folder, { recursive: true, force: true })
})

describe.skipIf(!hasJava)('when', { timeout: 70_000 }, () => {
  test.skipIf(!canLimit).each(Object.entries(faults))('%s, the panel tells why', async (name, { crash, says }) => {
    const id = ids[Object.keys(faults).indexOf(name)]!
    const told = await vi.waitFor(
      async () => {
        const last = (await owner.call(getLastCrash, { params: { id } })).crash
        expect(last).not.toBeNull()
        return last!
      },
      { timeout: 60_000, interval: 200 },
    )
    expect(told).toMatchObject(crash)
    expect(told.last_lines.join('\n')).toContain(says)
    expect(mendsOf[told.tag as keyof typeof mendsOf].length).toBeGreaterThan(0)
    const { data } = await owner.call(routes.listServerEvents, { params: { id }, query: { action: 'GAME_CRASHED' } })
    expect(data[0]).toMatchObject({ success: false, data: { crash_reasons: [{ tag: crash.tag }] } })
  })
})
