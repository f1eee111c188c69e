/**
 * A cluster driver for tests that places a program of the test's choice as a server's supervisor: a plain process
 * without walls, which answers on a socket as any other supervisor does. Files services are such processes as well.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { FilesConfig } from '@wakestone/protocol/files'
import type { SupervisorConfig } from '@wakestone/protocol/supervisor'
import type { Cluster, FilesEndpoint, Placement } from '../../apps/server/src/adapters/clusters/cluster.ts'

export type ProgramCluster = Cluster & {
  /** Servers that are placed for the first time from now on get this program, started with these words. */
  use(program: string, ...words: string[]): void
  /** Files services that come up from now on are this program, started with these words. */
  useFiles(program: string, ...words: string[]): void
  /** Where a server has its files. */
  volumeOf(serverId: string): string
  /** Kills the files service of a server. */
  killFiles(serverId: string): void
  /** Process of a server's supervisor. */
  pidOf(serverId: string): number
  /** How often a server has been placed. */
  placements(serverId: string): number
  close(): void
}

type Placed = { program: string[]; port: number; child?: ChildProcess; times: number }

export function createProgramCluster(publicKey: string): ProgramCluster {
  const home = mkdtempSync(join(tmpdir(), 'wsp-'))
  const servers = new Map<string, Placed>()
  let program: string[] = []
  let filesProgram = [join(import.meta.dirname, '../../apps/files/src/main.ts')]
  const services = new Map<string, { child: ChildProcess; socket: string }>()

  const folderOf = (serverId: string) => join(home, serverId.slice(0, 8))
  const volumeOf = (serverId: string) => join(folderOf(serverId), 'volume')
  const socketOf = (serverId: string) => join(folderOf(serverId), 'supervisor.sock')
  const isAlive = (child: ChildProcess | undefined) =>
    child !== undefined && child.exitCode === null && child.signalCode === null
  const running = (serverId: string): Placement & { state: 'running' } => ({
    state: 'running',
    endpoint: { kind: 'unix', path: socketOf(serverId) },
    game: { host: '127.0.0.1', port: servers.get(serverId)?.port ?? 0 },
  })

  function launch(serverId: string, placed: Placed, limits: SupervisorConfig['limits']) {
    const folder = folderOf(serverId)
    const volume = volumeOf(serverId)
    mkdirSync(volume, { recursive: true })
    const config: SupervisorConfig = {
      serverId,
      listen: { socket: socketOf(serverId) },
      publicKey,
      volume,
      limits,
      cgroup: null,
      gamePort: placed.port,
    }
    writeFileSync(join(folder, 'config.json'), JSON.stringify(config))
    const log = openSync(join(folder, 'log'), 'a')
    const [file = '', ...words] = placed.program
    placed.child = spawn(process.execPath, ['--no-warnings', file, join(folder, 'config.json'), ...words], {
      stdio: ['ignore', log, log],
      env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] },
    })
    placed.times++
  }

  async function openFiles(serverId: string, limits: SupervisorConfig['limits']): Promise<FilesEndpoint> {
    const open = services.get(serverId)
    if (open !== undefined && isAlive(open.child)) {
      const endpoint = await untilAnswers(open).catch(() => undefined)
      // One that has just ended for want of work is followed by another.
      if (endpoint !== undefined || isAlive(open.child)) return endpoint ?? untilAnswers(open)
      if (services.get(serverId) !== open) return openFiles(serverId, limits)
    }
    const { diskBytes } = limits
    const volume = volumeOf(serverId)
    mkdirSync(volume, { recursive: true })
    const socket = join(folderOf(serverId), 'files.sock')
    const config: FilesConfig = { serverId, listen: { socket }, publicKey, volume, diskBytes, idleSeconds: 5 }
    const path = join(folderOf(serverId), 'files.json')
    writeFileSync(path, JSON.stringify(config))
    const log = openSync(join(folderOf(serverId), 'files.log'), 'a')
    const [file = '', ...words] = filesProgram
    const child = spawn(process.execPath, ['--no-warnings', file, path, ...words], { stdio: ['ignore', log, log] })
    services.set(serverId, { child, socket })
    return untilAnswers({ child, socket })
  }

  async function untilAnswers({ child, socket }: { child: ChildProcess; socket: string }): Promise<FilesEndpoint> {
    for (const deadline = Date.now() + 20_000; !(await answers(socket)); await delay(20))
      if (Date.now() > deadline || !isAlive(child)) throw new Error('no files service')
    return { kind: 'unix', path: socket }
  }

  function endFiles(serverId: string) {
    const { child } = services.get(serverId) ?? {}
    if (child?.pid !== undefined) killTree(child.pid)
    services.delete(serverId)
  }

  function end(serverId: string) {
    endFiles(serverId)
    const { child } = servers.get(serverId) ?? {}
    if (child?.pid !== undefined) killTree(child.pid)
    rmSync(socketOf(serverId), { force: true })
  }

  return {
    use: (...words) => void (program = words),
    pidOf: (serverId) => servers.get(serverId)?.child?.pid ?? 0,
    placements: (serverId) => servers.get(serverId)?.times ?? 0,
    check: async () => ({ ok: true, problems: [] }),
    async place({ serverId, limits }) {
      const placed = servers.get(serverId) ?? { program, port: await findPort(), times: 0 }
      servers.set(serverId, placed)
      if (!isAlive(placed.child)) launch(serverId, placed, limits)
      const deadline = Date.now() + 20_000
      while (!(await answers(socketOf(serverId)))) {
        if (Date.now() > deadline || !isAlive(placed.child))
          throw new Error(`no supervisor: ${readFileSync(join(folderOf(serverId), 'log'), 'utf8')}`)
        await delay(20)
      }
      return running(serverId)
    },
    provide: async () => {},
    giveBackMemory: async () => null,
    growDisk: async () => false,
    async inspect(serverId) {
      const placed = servers.get(serverId)
      if (placed?.child === undefined) return { state: 'absent' }
      return isAlive(placed.child) ? running(serverId) : { state: 'exited', inOrder: placed.child.exitCode === 0 }
    },
    async gameIsGone(serverId) {
      const { child } = servers.get(serverId) ?? {}
      return child?.pid === undefined || childrenOf(child.pid).length === 0
    },
    async endGame(serverId) {
      const { child } = servers.get(serverId) ?? {}
      if (child?.pid === undefined) return 'gone'
      for (const deadline = Date.now() + 1_000; Date.now() < deadline; await delay(50))
        if (childrenOf(child.pid).length === 0) return 'gone'
      end(serverId)
      return 'ended with its supervisor'
    },
    runTask: async () => Promise.reject(new Error('runs no tasks')),
    useFiles: (...words) => void (filesProgram = words),
    volumeOf,
    killFiles: endFiles,
    openFiles,
    closeBoxes: async (serverId) => endFiles(serverId),
    async remove(serverId) {
      end(serverId)
      const placed = servers.get(serverId)
      if (placed !== undefined) delete placed.child
    },
    list: async () => [...servers.keys()],
    capacity: async () => ({ memory: { total: 0, free: 0 }, storage: null, cores: 1, load: null, nodes: [] }),
    async *watch() {
      yield { kind: 'listed', serverIds: [...servers.keys()] }
    },
    async stopAll() {
      for (const serverId of servers.keys()) end(serverId)
    },
    close() {
      for (const serverId of [...servers.keys(), ...services.keys()]) end(serverId)
      rmSync(home, { recursive: true, force: true })
    },
  }
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.on('connect', () => resolve(socket.destroy() !== undefined))
    socket.on('error', () => resolve(false))
  })
}

function findPort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => resolve(port))
    })
  })
}

function childrenOf(pid: number): number[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
    return text === '' ? [] : text.split(' ').map(Number)
  } catch {
    return [] // gone already
  }
}

/** Ends a process and all that it has started. */
function killTree(pid: number): void {
  let children: number[] = []
  try {
    process.kill(pid, 'SIGSTOP') // it starts no more meanwhile
    children = childrenOf(pid)
    process.kill(pid, 'SIGKILL')
  } catch {
    // Gone already.
  }
  for (const child of children) killTree(child)
}
