/**
 * A cluster driver for tests that places a program of the test's choice as a server's supervisor: a plain process
 * without walls, which answers on a socket as any other supervisor does.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { SupervisorConfig } from '@wakestone/protocol/supervisor'
import type { Cluster, Placement } from '../../apps/server/src/adapters/clusters/cluster.ts'

export type ProgramCluster = Cluster & {
  /** Servers that are placed for the first time from now on get this program, started with these words. */
  use(program: string, ...words: string[]): void
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

  const folderOf = (serverId: string) => join(home, serverId.slice(0, 8))
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
    const volume = join(folder, 'volume')
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

  function end(serverId: string) {
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
    async remove(serverId) {
      end(serverId)
      const placed = servers.get(serverId)
      if (placed !== undefined) delete placed.child
    },
    list: async () => [...servers.keys()],
    async stopAll() {
      for (const serverId of servers.keys()) end(serverId)
    },
    close() {
      for (const serverId of servers.keys()) end(serverId)
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
