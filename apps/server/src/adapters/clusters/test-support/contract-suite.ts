/**
 * What every driver of clusters has to do, as tests: a driver opens a subject and calls `describeContract`. All is seen
 * through the driver, or from inside by games and tasks, so that it holds for machines elsewhere too.
 */
import { randomUUID } from 'node:crypto'
import { chownSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { pingServer } from '@wakestone/minecraft/ping-server'
import { openTunnel, throughAgent } from '@wakestone/protocol/tunnel'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { SupervisorClient } from '#src/adapters/supervisor/client.ts'
import { createAgentSigner, createFilesSigner } from '#src/adapters/supervisor/tokens.ts'
import type {
  Cluster,
  ClusterEvent,
  FilesEndpoint,
  GameAddress,
  Placement,
  Task,
  TaskExit,
  TaskLine,
  Workload,
} from '../cluster.ts'
import { supervisorFile } from '../fleet.ts'
import { type Keys, openGameBench, type GameBench } from './game-bench.ts'

const MIB = 1024 ** 2
const limits: Workload['limits'] = { memoryBytes: 384 * MIB, cpu: 1, diskBytes: 1024 ** 3, players: 10 }
/** Of a workload, whatever its plan. */
const MOST_PROCESSES = 512
const SLACK_PROCESSES = 64

export type ContractSubject = {
  keys: Keys
  /** A folder of this machine for what is given to tasks. */
  folder: string
  /** The same servers as another process of the product has them, perhaps of another version. */
  open(changes?: { supervisorFile?: string }): Cluster
  /** Ends a supervisor as the kernel would, with all that is beside it. */
  killSupervisor(serverId: string): Promise<void>
  /** Has the machine of a server fail. @returns how it is repaired */
  loseNode(serverId: string): Promise<() => Promise<void>>
  /** Networks beside the loopback one that a task has which is to have none, and which lead nowhere. */
  devices?: number
  /** What the driver cannot limit here, with the reason; told, never passed over in silence. */
  unlimited: { what: 'memory' | 'processes' | 'cpu'; why: string }[]
  close(): Promise<void>
}

/** @param fault why nothing of this can be tried on this machine */
export function describeContract(
  name: string,
  fault: string | undefined,
  openSubject: () => Promise<ContractSubject>,
): void {
  if (fault !== undefined) console.error(`the contract of ${name} is not tried here: ${fault}`)
  describe.skipIf(fault !== undefined)(`a cluster of kind ${name}`, () => {
    vi.setConfig({ testTimeout: 120_000, hookTimeout: 300_000 })
    let subject: ContractSubject
    let cluster: Cluster
    let games: GameBench

    beforeAll(async () => {
      subject = await openSubject()
      cluster = subject.open()
      games = await openGameBench({ keys: subject.keys, provide: cluster.provide })
      for (const { what, why } of subject.unlimited) console.error(`${name}: no limit of ${what} here: ${why}`)
    })
    afterAll(async () => {
      for (const serverId of (await cluster?.list()) ?? []) await cluster.remove(serverId, { volume: 'delete' })
      games?.close()
      await subject?.close()
    })

    /** As a gateway reaches it. */
    async function pingGame(serverId: string, game: GameAddress) {
      const ticket = createAgentSigner(subject.keys.privateKey).game(serverId)
      const socket = game.agent && (await openTunnel(game.agent, { serverId, to: 'game', ticket }))
      return pingServer({ host: game.host, port: game.port, timeoutMs: 2000, ...(socket && { socket }) })
    }
    const isLimited = (what: ContractSubject['unlimited'][number]['what']) =>
      !subject.unlimited.some((missing) => missing.what === what)

    async function place(serverId: string = randomUUID(), changes: Partial<Workload['limits']> = {}) {
      const placement = await cluster.place({ serverId, limits: { ...limits, ...changes } })
      return { serverId, placement, client: games.connect(serverId, placement.endpoint, placement.game) }
    }
    /** A server whose game runs. */
    async function placeRunning(changes: Partial<Workload['limits']> = {}) {
      const placed = await place(randomUUID(), changes)
      await placed.client.install(await games.gamePlan())
      await games.reach(placed.client, ['stopped'], 60_000)
      await placed.client.start()
      await games.reach(placed.client, ['running'], 60_000)
      return placed
    }
    const run = (serverId: string, text: string, changes: Partial<Task> = {}) =>
      runTask(cluster, serverId, shell(text, changes))
    const waitFor = (serverId: string, state: Placement['state']) =>
      vi.waitFor(async () => expect(await cluster.inspect(serverId)).toMatchObject({ state }), 20_000)

    test('takes servers, and says what it has', async () => {
      expect(await cluster.check()).toMatchObject({ ok: true })
      const { memory, cores, nodes } = await cluster.capacity()
      expect(memory.total).toBeGreaterThan(512 * MIB)
      expect(cores).toBeGreaterThanOrEqual(1)
      expect(nodes.length).toBeGreaterThan(0)
      expect(nodes.every(({ answers }) => answers)).toBe(true)
    })

    test('places a server: it is spoken to, its game is reached, and placing it again changes nothing', async () => {
      const serverId = randomUUID()
      expect(await cluster.inspect(serverId)).toEqual({ state: 'absent' })
      const askers = [cluster, subject.open(), subject.open()]
      const placed = await Promise.all(askers.map((asker) => asker.place({ serverId, limits })))
      expect(new Set(placed.map((placement) => JSON.stringify(placement))).size).toBe(1)
      expect(await subject.open().inspect(serverId)).toEqual(placed[0])
      const { endpoint, game } = placed[0]!
      const client = games.connect(serverId, endpoint, game)
      await client.install(await games.gamePlan())
      await games.reach(client, ['stopped'], 60_000)
      expect(await cluster.gameIsGone(serverId)).toBe(true)
      await client.start()
      const { launchedAt } = await games.reach(client, ['running'])
      await vi.waitFor(() => pingGame(serverId, game), 10_000)
      expect(await cluster.gameIsGone(serverId)).toBe(false)
      expect(await cluster.place({ serverId, limits })).toEqual(placed[0])
      expect((await client.status()).launchedAt).toBe(launchedAt)
      await client.stop(10)
      await games.reach(client, ['stopped'])
      expect(await cluster.endGame(serverId)).toBe('gone')
      await cluster.remove(serverId)
      expect(await cluster.inspect(serverId)).toEqual({ state: 'absent' })
      await vi.waitFor(() => expect(client.status()).rejects.toThrow('not reached'), 10_000)
    })

    test('ends a game that its supervisor does not', async () => {
      const { serverId } = await placeRunning()
      expect(await cluster.endGame(serverId)).toBe('ended with its supervisor')
      expect(await cluster.gameIsGone(serverId)).toBe(true)
      expect(await cluster.inspect(serverId)).toMatchObject({ state: 'exited' })
    })

    test('limits processor and processes, as measured from inside', async () => {
      const { serverId, client } = await placeRunning({ cpu: 0.5 })
      const lines = await listen(
        client,
        (found) => found.some((line) => line.startsWith('measured ')),
        () => client.command('measure'),
      )
      const measured = JSON.parse(lines.find((line) => line.startsWith('measured '))!.slice('measured '.length))
      if (isLimited('cpu')) expect(measured.cpu).toBeLessThan(0.75)
      if (isLimited('processes')) {
        expect(measured.processes).toBeGreaterThan(MOST_PROCESSES - SLACK_PROCESSES)
        expect(measured.processes).toBeLessThan(MOST_PROCESSES)
      }
      await cluster.remove(serverId)
    })

    test('ends a game that takes too much memory, and tells of it', async () => {
      const { serverId, client } = await placeRunning()
      const { lastEventSeq } = await client.status()
      if (!isLimited('memory')) return
      await client.command('eat 4096')
      for await (const event of client.events(lastEventSeq)) {
        if (event.type !== 'crashed') continue
        expect(event.reasons).toContain('killed_for_memory')
        break
      }
      expect(await cluster.inspect(serverId)).toMatchObject({ state: 'running' }) // its supervisor is there
      await cluster.remove(serverId)
    })

    test('sees and tells that a supervisor has died, and places it anew over the same files', async () => {
      const { serverId, client } = await placeRunning()
      const { lastEventSeq } = await client.status()
      await run(serverId, 'echo kept > /data/note')
      const watched = watch(cluster)
      await vi.waitFor(() => expect(watched.events[0]).toMatchObject({ kind: 'listed' }), 20_000)
      expect((watched.events[0] as { serverIds: string[] }).serverIds).toContain(serverId)
      await subject.killSupervisor(serverId)
      await waitFor(serverId, 'exited')
      expect(await cluster.inspect(serverId)).toMatchObject({ state: 'exited', inOrder: false })
      await vi.waitFor(() => expect(watched.events).toContainEqual({ kind: 'changed', serverId }), 20_000)
      expect(await cluster.list()).toContain(serverId)
      const { client: anew } = await place(serverId)
      const exit = { code: null, signal: null, expected: false } // nobody has seen how it ended
      expect(await anew.status()).toMatchObject({ phase: 'stopped', lastExit: exit })
      for await (const event of anew.events(lastEventSeq)) if (event.type === 'crashed') break
      expect((await run(serverId, 'cat /data/note')).out).toEqual(['kept'])
      await cluster.remove(serverId)
    })

    test('says while a machine is away that it is, and goes on when it is back', async () => {
      const { serverId } = await place()
      await run(serverId, 'echo kept > /data/note')
      const watched = watch(cluster)
      await vi.waitFor(() => expect(watched.events.length).toBeGreaterThan(0), 20_000)
      const repair = await subject.loseNode(serverId)
      await vi.waitFor(
        async () => expect((await cluster.inspect(serverId)).state).toBeOneOf(['lost', 'exited']),
        20_000,
      )
      const told = watched.events.length
      await repair()
      const { endpoint, game } = await cluster.place({ serverId, limits })
      await games.connect(serverId, endpoint, game).status()
      expect((await run(serverId, 'cat /data/note')).out).toEqual(['kept'])
      await vi.waitFor(() => {
        const news = watched.events.slice(Math.min(told, 1))
        const tells = (event: ClusterEvent) =>
          event.kind === 'changed' ? event.serverId === serverId : event.serverIds.includes(serverId)
        expect(news.some(tells)).toBe(true)
      }, 30_000)
      await cluster.remove(serverId)
    })

    test('lists a server that nobody remembers, and removes it', async () => {
      const { serverId } = await placeRunning()
      const other = subject.open()
      expect(await other.list()).toContain(serverId)
      await other.remove(serverId, { volume: 'delete' })
      expect(await cluster.list()).not.toContain(serverId)
      expect(await cluster.inspect(serverId)).toEqual({ state: 'absent' })
      await other.remove(randomUUID(), { volume: 'delete' }) // one that never was
    })

    test('runs tasks beside a server: what they see, say and end with', async () => {
      const { serverId } = await place()
      await run(serverId, 'echo well > /data/greeting')
      const tool = join(subject.folder, 'a-tool')
      const store = join(subject.folder, 'store', serverId)
      writeFileSync(tool, '#!/bin/sh\necho "$@" && cat', { mode: 0o755 })
      const text = `cat /data/greeting
        /opt/wakestone/tools/greet met
        echo kept > /mnt/store/file
        id -u | grep -c '^0$'; echo "$SECRET"; ls -A /data/.wakestone
        grep -c '^CapEff:[[:space:]]*0*$' /proc/self/status
        grep -vc 'lo:' /proc/net/dev
        /opt/wakestone/bin/node -p 1+1
        echo broken >&2; exit 7`
      const found = await run(serverId, text, {
        tools: { greet: tool },
        folders: { store: { host: store, write: true } },
        env: { SECRET: 'only for it' },
        stdin: 'by its input\n',
      })
      expect(found).toMatchObject({ code: 7, signal: null, outOfMemory: false })
      const devices = String(2 + (subject.devices ?? 0)) // beneath two lines of a head
      expect(found.out).toEqual(['well', 'met', 'by its input', '0', 'only for it', '1', devices, '2'])
      expect(found.err).toContain('broken')
      expect(readFileSync(join(store, 'file'), 'utf8')).toBe('kept\n')

      const readOnly = 'touch /data/x /mnt/store/x /opt/wakestone/tools/x 2>&1 | grep -c "Read-only"'
      const folders = { store: { host: store, write: false } }
      expect((await run(serverId, readOnly, { volume: 'read', folders, tools: { greet: tool } })).out).toEqual(['3'])
      expect((await run(serverId, 'ls /data 2>&1 | grep -c greeting', { volume: 'none' })).out).toEqual(['0'])
      for (const bad of [{ name: '../x' }, { tools: { '../x': '/bin' } }, { env: { 'A B': '' } }, { command: [] }])
        await expect(run(serverId, '', bad)).rejects.toThrow('cannot be run')
      await expect(run(randomUUID(), 'true')).rejects.toThrow('no volume')
      // Programs of ours, about things that no server has.
      expect((await run(randomUUID(), 'echo alone', { volume: 'none' })).out).toEqual(['alone'])
    })

    test('tells what the shortest task has ended with, also while others look after what has ended', async () => {
      const { serverId } = await place()
      const watched = watch(subject.open())
      await vi.waitFor(() => expect(watched.events.length).toBeGreaterThan(0), 20_000)
      for (const code of [7, 1, 10, 0, 3]) expect(await run(serverId, `exit ${code}`)).toMatchObject({ code })
    })

    // Such as backups of a server that came from another cluster, where it was another user.
    test('shows a task what is its server’s, whoever it belonged to', async () => {
      const { serverId } = await place()
      const store = join(subject.folder, 'store', serverId)
      mkdirSync(join(store, 'inner'), { recursive: true, mode: 0o700 })
      writeFileSync(join(store, 'inner', 'file'), 'kept\n', { mode: 0o600 })
      if (process.getuid?.() === 0)
        for (const part of ['inner/file', 'inner', '.']) chownSync(join(store, part), 12_345, 12_345)
      for (const write of [false, true])
        expect(
          await run(serverId, 'cat /mnt/store/inner/file', { folders: { store: { host: store, write } } }),
        ).toMatchObject({ code: 0, out: ['kept'] })
    })

    test('ends tasks when it is told to, with their server, and when they take too much', async () => {
      const { serverId } = await place()
      const begin = (text: string) => cluster.runTask(serverId, shell(text))
      const patient = await begin('trap "echo saved; exit 3" INT; echo up; while :; do sleep 0.1; done')
      const plain = await begin('exec sleep 600')
      const stubborn = await begin('trap "" INT TERM; while :; do sleep 1; done')
      plain.cancel()
      expect(await plain.exit).toMatchObject({ code: null, signal: 'SIGINT' })
      const said: string[] = []
      for await (const { text } of patient.lines) {
        said.push(text)
        if (text === 'up') patient.cancel()
      }
      expect(said).toEqual(['up', 'saved'])
      expect(await patient.exit).toMatchObject({ code: 3, signal: null })
      if (isLimited('memory')) {
        const eat = 'const kept = []; setInterval(() => kept.push(Buffer.alloc(16 * 1024 ** 2, 1)), 1)'
        const command = ['/opt/wakestone/bin/node', '-e', eat]
        expect(await run(serverId, '', { command, memoryBytes: 96 * MIB })).toMatchObject({ outOfMemory: true })
      }
      await cluster.remove(serverId, { volume: 'delete' })
      expect(await stubborn.exit).toMatchObject({ code: null, signal: 'SIGKILL' })
    })

    test('opens the files of a server, whether anything of it runs or not', async () => {
      const serverId = randomUUID()
      const sign = createFilesSigner(subject.keys.privateKey)
      const endpoint = await cluster.openFiles(serverId, limits)
      expect(await subject.open().openFiles(serverId, limits)).toEqual(endpoint)
      expect(await ask(endpoint, sign(serverId, 'control'))).toMatchObject({ status: 200, body: { serverId } })
      expect(await ask(endpoint, sign(randomUUID(), 'control'))).toMatchObject({ status: 401 })
      expect(await cluster.inspect(serverId)).toEqual({ state: 'absent' })
      await run(serverId, 'echo there > /data/before')
      await place(serverId)
      expect((await run(serverId, 'cat /data/before')).out).toEqual(['there'])
      await cluster.closeBoxes(serverId)
      await expect(ask(endpoint, sign(serverId, 'control'))).rejects.toThrow(
        /ECONNREFUSED|EHOSTUNREACH|ENOENT|ECONNRESET|socket hang up|no answer|agent answered 404/,
      )
      expect(await cluster.inspect(serverId)).toMatchObject({ state: 'running' })
      await cluster.remove(serverId, { volume: 'delete' })
    })

    test('keeps a volume until it is told to delete it', async () => {
      const { serverId } = await place()
      await run(serverId, 'echo world > /data/world')
      await cluster.remove(serverId)
      expect(await cluster.list()).not.toContain(serverId)
      await place(serverId)
      expect((await run(serverId, 'cat /data/world')).out).toEqual(['world'])
      await cluster.remove(serverId, { volume: 'delete' })
      await place(serverId)
      expect((await run(serverId, 'ls /data')).out).toEqual([])
      await cluster.remove(serverId, { volume: 'delete' })
    })

    test('leaves supervisors that run the code they were started with', async () => {
      const [before, after] = ['7.0.0', '8.0.0'].map((version) => versionOf(subject.folder, version)) as [
        string,
        string,
      ]
      const [one, other] = [randomUUID(), randomUUID()]
      const old = await subject.open({ supervisorFile: before }).place({ serverId: one, limits })
      rmSync(before)
      const upgraded = subject.open({ supervisorFile: after })
      expect(await upgraded.place({ serverId: one, limits })).toEqual(old)
      const client = games.connect(one, old.endpoint, old.game)
      expect(await client.status()).toMatchObject({ version: '7.0.0' })
      await client.install(await games.gamePlan()) // by code that is loaded only now
      await games.reach(client, ['stopped'])
      const { endpoint } = await upgraded.place({ serverId: other, limits })
      expect(await games.connect(other, endpoint).status()).toMatchObject({ version: '8.0.0' })
      await upgraded.remove(one)
      const next = await upgraded.place({ serverId: one, limits })
      expect(await games.connect(one, next.endpoint).status()).toMatchObject({ version: '8.0.0' })
      for (const serverId of [one, other]) await upgraded.remove(serverId, { volume: 'delete' })
    })

    test('stops all, worlds saved', async () => {
      const { serverId } = await placeRunning()
      await cluster.stopAll({ timeoutSeconds: 60 })
      expect(await cluster.inspect(serverId)).toEqual({ state: 'exited', inOrder: true })
      const { client } = await place(serverId)
      expect(await client.status()).toMatchObject({ phase: 'stopped', lastExit: { code: 0, expected: true } })
      await cluster.remove(serverId, { volume: 'delete' })
    })
  })
}

const shell = (text: string, changes: Partial<Task> = {}): Task => ({
  name: 'try',
  command: ['/bin/sh', '-c', text],
  volume: 'write',
  network: 'none',
  memoryBytes: 256 * MIB,
  ...changes,
})

async function runTask(cluster: Cluster, serverId: string, task: Task) {
  const { lines, exit } = await cluster.runTask(serverId, task)
  const all: TaskLine[] = []
  for await (const line of lines) all.push(line)
  const of = (stream: string) => all.filter((line) => line.stream === stream).map(({ text }) => text)
  const ended: TaskExit = await exit
  return { ...ended, out: of('out'), err: of('err') }
}

/** Gathers what a cluster tells of until the test is over. */
function watch(cluster: Cluster) {
  const ending = new AbortController()
  const events: ClusterEvent[] = []
  const gathering = (async () => {
    for await (const event of cluster.watch(ending.signal)) events.push(event)
  })()
  onTestFinished(async () => {
    ending.abort()
    await gathering
  })
  return { events }
}

/** The console's lines from when it is told to begin until there are enough. */
async function listen(client: SupervisorClient, isEnough: (lines: string[]) => boolean, begin: () => Promise<unknown>) {
  const lines: string[] = []
  const stream = await client.openStream()
  stream.onMessage((message) => {
    if (message.type === 'console') lines.push(...message.lines.map(({ text }) => text))
  })
  await begin()
  for (const end = Date.now() + 60_000; !isEnough(lines); await delay(50))
    if (Date.now() > end) throw new Error(`waited in vain; last lines: ${lines.slice(-5).join(' | ')}`)
  stream.close()
  return lines
}

function ask(endpoint: FilesEndpoint, token: string): Promise<{ status: number | undefined; body: unknown }> {
  const headers = { authorization: `Bearer ${token}` }
  const path = '/v1/status'
  const where =
    endpoint.kind === 'unix'
      ? { agent: false as const, socketPath: endpoint.path, path }
      : endpoint.kind === 'agent'
        ? { ...throughAgent(endpoint, headers.authorization), path }
        : { agent: false as const, ...urlParts(endpoint.url), path }
  return new Promise((resolve, reject) => {
    const sent = get({ ...where, headers, timeout: 5000 }, (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => (text += chunk.toString()))
      response.on('end', () => resolve({ status: response.statusCode, body: JSON.parse(text || '{}') }))
    })
    sent.on('timeout', () => sent.destroy(new Error('no answer')))
    sent.on('error', (error: NodeJS.ErrnoException) => {
      // An agent refuses a token before anybody behind it hears of it.
      if (error.code === 'EACCES') resolve({ status: 401, body: {} })
      else reject(error)
    })
  })
}

const urlParts = (url: string) => ({ host: new URL(url).hostname, port: new URL(url).port })

/** A supervisor that says it is of this version. */
function versionOf(folder: string, version: string): string {
  const code = readFileSync(supervisorFile, 'utf8')
  const changed = code.replace(/(version[^"\n]*)"0\.1\.0"/, `$1"${version}"`)
  if (changed === code) throw new Error('the version does not stand where it was looked for')
  const path = join(folder, `${version}.mjs`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(path, changed)
  return path
}
