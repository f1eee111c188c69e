/**
 * Cluster driver of further machines: on each an agent places servers with the driver of processes, as this machine does.
 * Which machine has a server is kept by the control plane, so that a machine that is away is missed for what it has and
 * nothing else.
 */
import { createReadStream, existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Logger } from '@wakestone/kit/logger'
import type { InstallPlan } from '@wakestone/packager/manifest'
import type { AgentAddress } from '@wakestone/protocol/agent-address'
import { createAgentSigner } from '#src/adapters/supervisor/tokens.ts'
import type { Cluster, FilesEndpoint, Placement, Task, Workload } from '../cluster.ts'
import { nameOf, provideFiles } from '../process/downloads.ts'
import { type AgentMachine, AgentUnreached, type Machine, openMachine } from './machine.ts'
import type { CallAnswer } from './messages.ts'
import { runTask } from './tasks.ts'
import { watchMachines } from './watch.ts'

/** Which machine has the files of a server. */
export type AgentHomes = {
  find(serverId: string): Promise<string | undefined>
  /** Settles it for good; @returns the machine that has won where two were chosen at once */
  settle(serverId: string, agentId: string): Promise<string>
  forget(serverId: string): Promise<void>
}

type Running = Placement & { state: 'running' }

export function createAgentCluster({
  id,
  machines: given,
  homes,
  privateKey,
  internet,
  ...options
}: {
  /** Of the cluster. */
  id: string
  machines: readonly AgentMachine[]
  homes: AgentHomes
  dataDir: string
  /** PKCS8 PEM of the key that agents have pinned. */
  privateKey: string
  /** Whether servers fetch for themselves what is on the internet. */
  internet: boolean
  logger: Pick<Logger, 'warn' | 'info'>
}): Cluster {
  const { logger } = options
  const downloads = join(resolve(options.dataDir), 'cache', 'downloads')
  const sign = createAgentSigner(privateKey)
  const machines = given.map((machine) => openMachine(machine, sign))

  /** The machine that has a server; undefined where none has. @throws AgentUnreached where it has left the cluster */
  async function homeOf(serverId: string): Promise<Machine | undefined> {
    const home = await homes.find(serverId)
    if (home === undefined) return undefined
    const machine = machines.find((one) => one.id === home)
    if (machine === undefined) throw new AgentUnreached('the machine of the server is in the cluster no more')
    return machine
  }

  /** The one with the most free memory that takes servers. */
  async function choose(): Promise<Machine> {
    const open = machines.filter(({ draining }) => !draining)
    if (open.length === 0) throw new Error('the cluster has no machine that takes servers')
    const free = await Promise.all(
      open.map(async (machine) => {
        const answer = await machine.call('capacity', {}).catch(() => undefined)
        return { machine, free: answer === undefined ? -1 : (answer.memory.free ?? 0) }
      }),
    )
    const best = free.reduce((one, other) => (other.free > one.free ? other : one))
    if (best.free < 0) throw new AgentUnreached('no machine of the cluster answers')
    return best.machine
  }

  async function settle(serverId: string): Promise<Machine> {
    const home = await homeOf(serverId)
    if (home !== undefined) return home
    await homes.settle(serverId, (await choose()).id)
    return (await homeOf(serverId)) as Machine
  }

  const addressOf = ({ host, port, certificate }: Machine): AgentAddress => ({ host, port, certificate })

  function describe(machine: Machine, serverId: string, gamePort: number): Running {
    const agent = addressOf(machine)
    return {
      state: 'running',
      endpoint: { kind: 'agent', agent, serverId, to: 'supervisor' },
      game: { host: machine.host, port: gamePort, agent },
    }
  }

  async function inspect(serverId: string): Promise<Placement> {
    const home = await homes.find(serverId)
    if (home === undefined) return { state: 'absent' }
    const machine = machines.find((one) => one.id === home)
    if (machine === undefined) return { state: 'lost', node: 'that has left the cluster' }
    try {
      const placement = await machine.call('inspect', { serverId })
      return placement.state === 'running' ? describe(machine, serverId, placement.gamePort) : placement
    } catch (error) {
      if (error instanceof AgentUnreached) return { state: 'lost', node: machine.name }
      throw error
    }
  }

  async function place({ serverId, limits }: Workload): Promise<Running> {
    const machine = await settle(serverId)
    const { gamePort } = await machine.call('place', { serverId, limits })
    logger.info({ serverId, machine: machine.name }, 'supervisor placed')
    return describe(machine, serverId, gamePort)
  }

  async function provide(plan: InstallPlan, serverId: string): Promise<void> {
    try {
      const machine = await homeOf(serverId)
      if (machine === undefined) return
      await provideFiles(plan, { folder: downloads, internet })
      for (const file of plan.packages.flatMap(({ downloadFiles }) => downloadFiles)) {
        const path = join(downloads, nameOf(file))
        if (existsSync(path)) await machine.bring(`/v1/downloads/${nameOf(file)}`, () => createReadStream(path))
      }
      await machine.call('provide', { serverId, plan })
    } catch (error) {
      // What cannot be had is missed by the supervisor too, which tells of it.
      logger.warn({ error, serverId }, 'files of packages could not be provided')
    }
  }

  async function openFiles(serverId: string, limits: Workload['limits']): Promise<FilesEndpoint> {
    const machine = await settle(serverId)
    await machine.call('open-files', { serverId, limits })
    return { kind: 'agent', agent: addressOf(machine), serverId, to: 'files' }
  }

  async function runTaskOf(serverId: string, task: Task) {
    const machine = (await homeOf(serverId)) ?? (await choose())
    return runTask(machine, serverId, task)
  }

  async function remove(serverId: string, { volume }: { volume: 'keep' | 'delete' } = { volume: 'keep' }) {
    await (await homeOf(serverId))?.call('remove', { serverId, volume })
    if (volume === 'delete') await homes.forget(serverId)
  }

  /** Of all machines that answer. */
  async function listAll(): Promise<string[]> {
    const told = await Promise.all(
      machines.map((machine) =>
        machine.call('list', {}).then(
          ({ serverIds }) => serverIds,
          () => [],
        ),
      ),
    )
    return [...new Set(told.flat())]
  }

  async function check() {
    const told = await Promise.all(
      machines.map((machine) =>
        machine.call('check', {}).then(
          ({ ok, problems }) => ({ ok, problems: problems.map((problem) => `${machine.name}: ${problem}`) }),
          (error: Error) => ({ ok: false, problems: [`${machine.name}: ${error.message}`] }),
        ),
      ),
    )
    const problems = [
      ...(machines.length === 0 ? ['the cluster has no machines'] : []),
      ...told.flatMap(({ problems: all }) => all),
    ]
    for (const problem of problems) logger.warn({ cluster: id }, problem)
    return { ok: told.some(({ ok }) => ok), problems }
  }

  async function capacity() {
    const told = await Promise.all(
      machines.map(async (machine) => {
        const [answer, placed] = await Promise.all([
          machine.call('capacity', {}).catch(() => undefined),
          machine.call('list', {}).catch(() => undefined),
        ])
        return { machine, answer, placed: placed?.serverIds.length ?? 0 }
      }),
    )
    const all = told.flatMap(({ answer }) => answer ?? [])
    return {
      memory: addShares(all.map(({ memory }) => memory)),
      storage: addShares(all.flatMap(({ storage }) => storage ?? [])),
      cores: sum(all.map(({ cores }) => cores)),
      load: sum(all.map(({ load }) => load ?? 0)),
      nodes: told.map(({ machine, answer, placed }) => ({
        name: machine.name,
        answers: answer !== undefined,
        placed,
      })),
    }
  }

  /** For a server that no machine has there is nothing to do. */
  async function askHome<Answer>(serverId: string, otherwise: Answer, ask: (machine: Machine) => Promise<Answer>) {
    const machine = await homeOf(serverId)
    return machine === undefined ? otherwise : ask(machine)
  }

  return {
    check,
    place,
    inspect,
    provide,
    async agentOf(serverId) {
      const home = await homes.find(serverId)
      const machine = machines.find((one) => one.id === home)
      return machine && addressOf(machine)
    },
    gameIsGone: (serverId) =>
      askHome(serverId, true, async (machine) => (await machine.call('game-is-gone', { serverId })).gone),
    endGame: (serverId) =>
      askHome<CallAnswer<'end-game'>['ended']>(
        serverId,
        'gone',
        async (machine) => (await machine.call('end-game', { serverId })).ended,
      ),
    giveBackMemory: (serverId) =>
      askHome<number | null>(
        serverId,
        null,
        async (machine) => (await machine.call('give-back-memory', { serverId })).bytes,
      ),
    growDisk: (serverId, diskBytes) =>
      askHome(serverId, false, async (machine) => (await machine.call('grow-disk', { serverId, diskBytes })).grown),
    runTask: runTaskOf,
    openFiles,
    closeBoxes: (serverId) =>
      askHome(serverId, undefined, async (machine) => void (await machine.call('close-boxes', { serverId }))),
    remove,
    list: listAll,
    capacity,
    watch: (signal) => watchMachines({ machines, list: listAll, signal }),
    stopAll: async ({ timeoutSeconds }) =>
      void (await Promise.all(machines.map((machine) => machine.call('stop-all', { timeoutSeconds })))),
  }
}

const sum = (numbers: number[]) => numbers.reduce((all, one) => all + one, 0)
const addShares = (shares: { total: number; free: number | null }[]) => ({
  total: sum(shares.map(({ total }) => total)),
  free: sum(shares.map(({ free }) => free ?? 0)),
})
