/**
 * Cluster driver of machines with a container engine, Docker's or Podman's: each supervisor is a container, in the network
 * of another one that guards it. Nothing is kept here: engines know what is placed by its labels.
 */
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { InstallPlan } from '@wakestone/packager/manifest'
import type { Cluster, FilesEndpoint, Placement, Task, Workload } from '../cluster.ts'
import { nameOf, provideFiles } from '../process/downloads.ts'
import { withLock } from '../process/lock.ts'
import { createPolicy, findResolverFault } from '../process/network/policy.ts'
import { waitUntil } from '../process/processes.ts'
import { describeMissing } from '../process/walls.ts'
import { type Limits, type Place, removeBox, removeEndedBoxes, type WithContent } from './boxes.ts'
import { contentOf, putDownload, removeUnusedContent } from './content.ts'
import { EngineUnreached } from './engine.ts'
import { findFiles, openFiles } from './files.ts'
import { findOut, type Knowledge } from './find-out.ts'
import { type Found, type Host, openHost } from './host.ts'
import { imageName } from './image.ts'
import { createNames, gameUserOf, label } from './names.ts'
import type { DockerClusterOptions } from './options.ts'
import { answersHttp, urlOf } from './reach.ts'
import { findGameScript } from './scripts.ts'
import { runTask } from './tasks.ts'
import { watchHosts } from './watch.ts'
import { launch } from './workload.ts'

const READY_MS = 30_000
/** How long the last of a game that has ended may take to go, and the supervisor's own helpers. */
const LAST_OF_GAME_MS = 4_000

type Running = Placement & { state: 'running' }
/** What one machine says of a server. */
type Told = { host: Host; containers: Found[]; isAway: boolean }

export function createDockerCluster(options: DockerClusterOptions): Cluster {
  const { logger, mayMiss, publicKey, supervisorFile, filesFile, image = imageName } = options
  const dataDir = resolve(options.dataDir)
  const policy = createPolicy(options.network)
  const names = createNames({ installation: publicKey, clusterId: options.id })
  const hosts = options.hosts.map((host) => openHost(host, names))
  const folder = join(dataDir, 'clusters', names.mark)
  const downloads = join(dataDir, 'cache', 'downloads')
  const known = new Map<Host, Promise<Knowledge>>()

  function know(host: Host): Promise<Knowledge> {
    let knowledge = known.get(host)
    if (knowledge === undefined) {
      knowledge = findOut(host, { names, image, dataDir, policy })
      known.set(host, knowledge)
      knowledge.catch(() => known.delete(host)) // it may be there later
    }
    return knowledge
  }
  const refusedOf = ({ missing }: Knowledge) => missing.filter(({ wall }) => !mayMiss.includes(wall))

  /** @throws Error where the machine lacks what it must have */
  async function placeOn(host: Host): Promise<Place> {
    const knowledge = await know(host)
    const refused = refusedOf(knowledge)
    if (refused.length > 0) throw new Error(`no server is placed: ${refused.map(describeMissing).join('; ')}`)
    return { host, knowledge, names, image }
  }

  const withServer = <T>(serverId: string, action: () => Promise<T>): Promise<T> =>
    withLock(join(folder, 'locks', names.server(serverId)), action)
  /** Nobody takes files of ours away while somebody is about to be given them. */
  const withContent: WithContent = (action) => withLock(join(folder, 'content'), action)

  const ask = (serverId: string): Promise<Told[]> =>
    Promise.all(
      hosts.map(async (host) => {
        try {
          return { host, containers: await host.list({ [label.server]: serverId }), isAway: false }
        } catch (error) {
          if (!(error instanceof EngineUnreached)) throw error
          return { host, containers: [], isAway: true }
        }
      }),
    )

  /**
   * The machine that has a server's volume; undefined where none has.
   * @throws Error where that cannot be told
   */
  async function hostOf(serverId: string): Promise<Host | undefined> {
    const found = await Promise.all(
      hosts.map(async (host) => {
        try {
          return { host, has: await host.hasVolume(names.volume(serverId)) }
        } catch (error) {
          if (!(error instanceof EngineUnreached)) throw error
          return { host, has: undefined }
        }
      }),
    )
    const its = found.find(({ has }) => has === true)?.host
    const away = found.find(({ has }) => has === undefined)?.host
    if (its === undefined && away !== undefined) throw new EngineUnreached(`the machine ${away.name} does not answer`)
    return its
  }

  /** The one with the most memory that is promised to nobody. */
  async function chooseHost(): Promise<Host> {
    const [first] = hosts
    if (first === undefined) throw new Error('the cluster has no machines')
    if (hosts.length === 1) return first
    const free = await Promise.all(
      hosts.map(async (host) => ({ host, free: await freeMemory(host).catch(() => -Infinity) })),
    )
    const best = free.reduce((one, other) => (other.free > one.free ? other : one))
    if (best.free === -Infinity) throw new EngineUnreached('no machine of the cluster answers')
    return best.host
  }

  async function freeMemory(host: Host): Promise<number> {
    const [{ body }, placed] = await Promise.all([
      host.engine.call('GET', '/info'),
      host.list({ [label.role]: 'server' }),
    ])
    return (body as { MemTotal: number }).MemTotal - sum(placed.map(({ labels }) => Number(labels[label.memory] ?? 0)))
  }

  async function check() {
    const found = await Promise.all(
      hosts.map(async (host) => {
        try {
          const knowledge = await know(host)
          await cleanUp(host)
          return { host, knowledge }
        } catch (error) {
          return { host, fault: `${host.name}: ${(error as Error).message}` }
        }
      }),
    )
    const resolverFault = findResolverFault(policy)
    const problems = [
      ...(hosts.length === 0 ? ['the cluster has no machines'] : []),
      ...found.flatMap(({ fault }) => fault ?? []),
      ...found.flatMap(({ knowledge }) => knowledge?.missing.map(describeMissing) ?? []),
      ...found.flatMap(({ knowledge }) => knowledge?.notes ?? []),
      ...(resolverFault === undefined ? [] : [resolverFault]),
    ]
    for (const problem of problems) logger.warn({ cluster: options.id }, problem)
    return { ok: found.some(({ knowledge }) => knowledge && refusedOf(knowledge).length === 0), problems }
  }

  async function cleanUp(host: Host): Promise<void> {
    await removeEndedBoxes(host)
    const bundles: Record<string, string>[] = [{ 'supervisor.mjs': supervisorFile }, { 'files.mjs': filesFile }]
    const next = new Set([names.downloads, ...bundles.map((files) => names.content(contentOf(files).hash))])
    await withContent(() => removeUnusedContent(host, next))
  }

  function describe(host: Host, { labels }: Found): Running {
    return {
      state: 'running',
      endpoint: { kind: 'http', url: urlOf(host.address, Number(labels[label.control])) },
      game: { host: host.address, port: Number(labels[label.game]) },
    }
  }

  async function inspect(serverId: string): Promise<Placement> {
    const container = names.server(serverId)
    const told = await ask(serverId)
    for (const { host, containers } of told) {
      const found = containers.find(({ name }) => name === container)
      if (found === undefined || found.state === 'created' || found.state === 'configured') continue
      if (found.state === 'running' || found.state === 'paused') return describe(host, found)
      const ended = await host.look(container)
      if (ended === undefined) continue
      return { state: 'exited', inOrder: ended.exitCode === 0 }
    }
    const away = told.find(({ isAway }) => isAway)
    if (away === undefined || (await hostOf(serverId).catch(() => undefined)) !== undefined) return { state: 'absent' }
    return { state: 'lost', node: away.host.name }
  }

  async function place({ serverId, limits }: Workload): Promise<Running> {
    return withServer(serverId, async () => {
      const before = await inspect(serverId)
      if (before.state === 'running') return untilItAnswers(before, serverId)
      if (before.state === 'lost') throw new EngineUnreached(`the machine ${before.node} does not answer`)
      const at = await placeOn((await hostOf(serverId)) ?? (await chooseHost()))
      await launch({ ...at, policy, publicKey, supervisorFile, withContent }, serverId, limits)
      const placed = await inspect(serverId)
      if (placed.state !== 'running')
        throw new Error(`supervisor did not start: ${(await at.host.logsOf(names.server(serverId))).slice(-500)}`)
      logger.info({ serverId, host: at.host.name }, 'supervisor placed')
      return untilItAnswers(placed, serverId)
    })
  }

  async function untilItAnswers(placed: Running, serverId: string): Promise<Running> {
    const { url } = placed.endpoint as { url: string }
    for (const end = Date.now() + READY_MS; !(await answersHttp(url)); await delay(50)) {
      if (Date.now() < end && (await inspect(serverId)).state === 'running') continue
      const host = await hostOf(serverId)
      throw new Error(`supervisor does not answer: ${(await host?.logsOf(names.server(serverId)))?.slice(-500)}`)
    }
    return placed
  }

  /** The machine that runs a server's supervisor. */
  async function runningOn(serverId: string): Promise<Host | undefined> {
    const isIt = ({ name, state }: Found) =>
      name === names.server(serverId) && (state === 'running' || state === 'paused')
    const told = await ask(serverId)
    const its = told.find(({ containers }) => containers.some(isIt))
    const away = told.find(({ isAway }) => isAway)
    if (its === undefined && away) throw new EngineUnreached(`the machine ${away.host.name} does not answer`)
    return its?.host
  }

  async function isGameGone(serverId: string): Promise<boolean> {
    const host = await runningOn(serverId)
    if (host === undefined) return true
    const { mapsUsers } = await know(host)
    const command = ['/bin/sh', '-c', findGameScript, 'find', String(gameUserOf(serverId, mapsUsers))]
    const { code, out } = await host.exec(names.server(serverId), command)
    return code === 0 && out.trim() === ''
  }

  async function endGame(serverId: string): Promise<'gone' | 'ended with its supervisor'> {
    return withServer(serverId, async () => {
      if (await waitUntil(() => isGameGone(serverId), LAST_OF_GAME_MS)) return 'gone'
      const host = await runningOn(serverId)
      await host?.kill(names.server(serverId), 'SIGKILL')
      await waitUntil(async () => (await runningOn(serverId)) === undefined, LAST_OF_GAME_MS)
      return 'ended with its supervisor'
    })
  }

  const endBoxes = async ({ host, containers }: Told) => {
    const boxes = containers.filter(({ labels }) => labels[label.role] === 'box')
    await Promise.all(boxes.map(({ name }) => removeBox(host, name)))
  }

  /** @throws Error where a machine that may have the server does not answer */
  async function needAll(serverId: string): Promise<Told[]> {
    const told = await ask(serverId)
    const away = told.find(({ isAway }) => isAway)
    if (away && told.every(({ containers }) => containers.length === 0)) await hostOf(serverId)
    return told.filter(({ isAway }) => !isAway)
  }

  async function remove(serverId: string, { volume }: { volume: 'keep' | 'delete' } = { volume: 'keep' }) {
    await withServer(serverId, async () => {
      for (const one of await needAll(serverId)) {
        if (volume === 'delete') await endBoxes(one)
        if (one.containers.length > 0) {
          await one.host.remove(names.server(serverId))
          await one.host.remove(names.guard(serverId))
        }
        if (volume === 'delete') await one.host.removeVolumes({ [label.server]: serverId })
      }
    })
  }

  async function closeBoxes(serverId: string) {
    await withServer(serverId, async () => void (await Promise.all((await needAll(serverId)).map(endBoxes))))
  }

  async function list(): Promise<string[]> {
    const found = await Promise.all(hosts.map((host) => host.list({ [label.role]: 'server' }).catch(() => [])))
    return [...new Set(found.flat().flatMap(({ labels }) => labels[label.server] ?? []))]
  }

  async function capacity() {
    const nodes = await Promise.all(
      hosts.map(async (host) => {
        try {
          const { body } = await host.engine.call('GET', '/info', { patience: 6_000 })
          const { MemTotal, NCPU } = body as { MemTotal: number; NCPU: number }
          const placed = (await host.list({ [label.role]: 'server' })).length
          return { node: { name: host.name, answers: true, placed }, memory: MemTotal, cores: NCPU }
        } catch {
          return { node: { name: host.name, answers: false, placed: 0 }, memory: 0, cores: 0 }
        }
      }),
    )
    return {
      // Engines tell neither what is used of a machine's memory nor of its disk.
      memory: { total: sum(nodes.map(({ memory }) => memory)), free: null },
      storage: null,
      cores: sum(nodes.map(({ cores }) => cores)),
      load: null,
      nodes: nodes.map(({ node }) => node),
    }
  }

  async function provide(plan: InstallPlan, serverId: string): Promise<void> {
    try {
      const host = await hostOf(serverId)
      if (host === undefined) return
      await provideFiles(plan, { folder: downloads, internet: policy.internet })
      const files = plan.packages.flatMap(({ downloadFiles }) => downloadFiles.map(nameOf))
      for (const name of files) await putDownload(host, names, image, { folder: downloads, name })
    } catch (error) {
      // What cannot be had is missed by the supervisor too, which tells of it.
      logger.warn({ error, serverId }, 'files of packages could not be provided')
    }
  }

  async function openFilesOf(serverId: string, limits: Limits): Promise<FilesEndpoint> {
    const open = await hostOf(serverId).catch(() => undefined)
    const url = open && (await findFiles({ host: open, names }, serverId))
    if (url !== undefined && (await answersHttp(url))) return { kind: 'http', url }
    return withServer(serverId, async () => {
      const at = await placeOn((await hostOf(serverId)) ?? (await chooseHost()))
      return openFiles({ ...at, filesFile, publicKey, withContent }, serverId, limits)
    })
  }

  async function runTaskOf(serverId: string, task: Task) {
    const host = await hostOf(serverId)
    const at = await placeOn(host ?? (await chooseHost()))
    return runTask({ ...at, withContent }, serverId, task)
  }

  async function stopAll({ timeoutSeconds }: { timeoutSeconds: number }) {
    await Promise.all(
      hosts.map(async (host) => {
        const all = await host.list()
        const boxes = all.filter(({ labels }) => labels[label.role] === 'box')
        await Promise.all(boxes.map(({ name }) => removeBox(host, name)))
        const servers = all.filter(({ labels, state }) => labels[label.role] === 'server' && state === 'running')
        await Promise.all(
          servers.map(async ({ name, labels }) => {
            await host.stop(name, timeoutSeconds)
            if ((await host.look(name))?.exitCode !== 0)
              logger.warn({ serverId: labels[label.server] }, 'supervisor did not stop in time and was killed')
            // It goes with its server: an engine removes none whose network another one has.
            await host.kill(names.guard(labels[label.server] as string), 'SIGKILL')
          }),
        )
      }),
    )
  }

  return {
    check,
    place,
    inspect,
    provide,
    gameIsGone: isGameGone,
    endGame,
    // Engines have no word for it.
    giveBackMemory: async () => null,
    growDisk: async () => false,
    runTask: runTaskOf,
    openFiles: openFilesOf,
    closeBoxes,
    remove,
    list,
    capacity,
    watch: (signal) =>
      watchHosts({
        hosts,
        names,
        list,
        onBoxEnd: (host) => void removeEndedBoxes(host).catch(() => undefined),
        signal,
      }),
    stopAll,
  }
}

const sum = (numbers: number[]) => numbers.reduce((all, one) => all + one, 0)
