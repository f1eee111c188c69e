/**
 * All clusters as one: each call goes to the driver of the cluster that a server belongs to. What belongs to no server, such
 * as looking at what somebody has uploaded, is done on this machine.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { AgentHomes } from './agent/agent-cluster.ts'
import type { AgentMachine } from './agent/machine.ts'
import type { Cluster, ClusterEvent } from './cluster.ts'
import type { DockerHost } from './docker/options.ts'
import type { KubernetesPlace } from './kubernetes/options.ts'

/** A cluster that is not the one of this machine's own folder. */
export type OtherCluster =
  | { id: string; kind: 'docker'; hosts: DockerHost[] }
  | { id: string; kind: 'kubernetes'; place: KubernetesPlace | undefined }
  /** Machines with agents. */
  | { id: string; kind: 'agent'; machines: AgentMachine[] }
  /** Processes of this machine, with a folder of their own. */
  | { id: string; kind: 'process' }

export type ClusterDirectory = {
  /** Id of the cluster of a server; undefined for what is none. */
  clusterOf(serverId: string): Promise<string | undefined>
  list(): Promise<OtherCluster[]>
  /** Which machine of a cluster with agents has a server; one that moves is in two. */
  homesIn(clusterId: string): AgentHomes
}
type RoutedCluster = Cluster & {
  /** The driver of a cluster; this machine's, if it has no other. */
  of(clusterId: string): Promise<Cluster>
}

/** So long nobody asks the database again which clusters there are. */
const KNOWN_MS = 5_000
const LOOK_MS = 15_000
const noCheckpoints = 'clusters of this kind have none'

export function createRoutedCluster({
  local,
  directory,
  open,
}: {
  local: Cluster
  directory: Omit<ClusterDirectory, 'homesIn'>
  open: (cluster: OtherCluster) => Cluster
}): RoutedCluster {
  const opened = new Map<string, { made: string; cluster: Cluster }>()
  let known: { all: Promise<Map<string, Cluster>>; until: number } | undefined
  let last: Map<string, Cluster> | undefined

  async function read(): Promise<Map<string, Cluster>> {
    const all = new Map<string, Cluster>()
    for (const one of await directory.list()) {
      const made = JSON.stringify(one)
      const before = opened.get(one.id)
      const cluster = before?.made === made ? before.cluster : open(one)
      opened.set(one.id, { made, cluster })
      all.set(one.id, cluster)
    }
    for (const id of opened.keys()) if (!all.has(id)) opened.delete(id)
    last = all
    return all
  }

  function others(): Promise<Map<string, Cluster>> {
    if (known !== undefined && known.until > Date.now()) return known.all
    // While the database is away, clusters are those that there were.
    const all = read().catch((error: unknown) => {
      if (last === undefined) throw error
      return last
    })
    const next = { all, until: Date.now() + KNOWN_MS }
    known = next
    next.all.catch(() => {
      if (known === next) known = undefined
    })
    return next.all
  }

  async function ofServer(serverId: string): Promise<Cluster> {
    const all = await others()
    if (all.size === 0) return local
    const id = await directory.clusterOf(serverId)
    return (id === undefined ? undefined : all.get(id)) ?? local
  }
  const everywhere = async () => [local, ...(await others()).values()]

  async function* watch(signal: AbortSignal): AsyncGenerator<ClusterEvent> {
    const waiting: ClusterEvent[] = []
    let wake = () => {}
    const followed = new Map<Cluster, { ending: AbortController; ended: Promise<void> }>()
    async function follow(cluster: Cluster, ending: AbortSignal) {
      for await (const event of cluster.watch(ending)) {
        waiting.push(event)
        wake()
      }
    }
    /** Clusters come and go while the product runs. */
    async function look() {
      const all = new Set(await everywhere())
      for (const [cluster, { ending }] of followed) {
        if (all.has(cluster)) continue
        ending.abort()
        followed.delete(cluster)
      }
      for (const cluster of all) {
        if (followed.has(cluster)) continue
        const ending = new AbortController()
        const ended = follow(cluster, AbortSignal.any([signal, ending.signal])).catch(
          () => void followed.delete(cluster),
        )
        followed.set(cluster, { ending, ended })
      }
    }
    const looking = (async () => {
      while (!signal.aborted) {
        await look().catch(() => undefined) // the database is away: those that are known are followed
        await delay(LOOK_MS, undefined, { signal }).catch(() => undefined)
      }
    })()
    signal.addEventListener('abort', () => wake(), { once: true })
    while (!signal.aborted) {
      const event = waiting.shift()
      if (event !== undefined) yield event
      else await new Promise<void>((resolve) => (wake = resolve))
    }
    await looking
    await Promise.all([...followed.values()].map(({ ended }) => ended))
  }

  return {
    async of(clusterId) {
      known = undefined // whoever asks for one has perhaps just changed it
      return (await others()).get(clusterId) ?? local
    },
    async check() {
      const [own, ...more] = await Promise.all((await everywhere()).map((cluster) => cluster.check()))
      // The others say for themselves what they lack; what this machine lacks keeps the product from starting.
      return { ok: own!.ok, problems: [...new Set([own!, ...more].flatMap(({ problems }) => problems))] }
    },
    place: async (workload) => (await ofServer(workload.serverId)).place(workload),
    checkpoints: {
      findFault: async (serverId) => {
        const { checkpoints } = serverId === undefined ? local : await ofServer(serverId)
        return checkpoints === undefined ? noCheckpoints : checkpoints.findFault(serverId)
      },
      async make(serverId) {
        const { checkpoints } = await ofServer(serverId)
        if (checkpoints === undefined) throw new Error(noCheckpoints)
        return checkpoints.make(serverId)
      },
      has: async (serverId) => (await (await ofServer(serverId)).checkpoints?.has(serverId)) ?? false,
      drop: async (serverId) => (await ofServer(serverId)).checkpoints?.drop(serverId),
    },
    inspect: async (serverId) => (await ofServer(serverId)).inspect(serverId),
    provide: async (plan, serverId) => (await ofServer(serverId)).provide(plan, serverId),
    agentOf: async (serverId) => (await ofServer(serverId)).agentOf?.(serverId),
    gameIsGone: async (serverId) => (await ofServer(serverId)).gameIsGone(serverId),
    endGame: async (serverId) => (await ofServer(serverId)).endGame(serverId),
    giveBackMemory: async (serverId) => (await ofServer(serverId)).giveBackMemory(serverId),
    growDisk: async (serverId, bytes) => (await ofServer(serverId)).growDisk(serverId, bytes),
    runTask: async (serverId, task) => (await ofServer(serverId)).runTask(serverId, task),
    openFiles: async (serverId, limits) => (await ofServer(serverId)).openFiles(serverId, limits),
    closeBoxes: async (serverId) => (await ofServer(serverId)).closeBoxes(serverId),
    remove: async (serverId, options) => (await ofServer(serverId)).remove(serverId, options),
    list: async () => [...new Set((await Promise.all((await everywhere()).map((cluster) => cluster.list()))).flat())],
    capacity: () => local.capacity(),
    watch,
    stopAll: async (options) => {
      await Promise.all((await everywhere()).map((cluster) => cluster.stopAll(options)))
    },
  }
}
