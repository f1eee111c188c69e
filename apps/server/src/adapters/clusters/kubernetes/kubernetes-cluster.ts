/**
 * Cluster driver of Kubernetes: each server is a StatefulSet that has one Pod or none, over a claim that belongs to nothing
 * else. Nothing is kept here: the API knows what is placed, by labels.
 */
import { createReadStream, existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { InstallPlan } from '@wakestone/packager/manifest'
import type { Cluster, FilesEndpoint, Placement, Task, Workload } from '../cluster.ts'
import { answersHttp, urlOf } from '../docker/reach.ts'
import { nameOf, provideFiles } from '../process/downloads.ts'
import { withLock } from '../process/lock.ts'
import { createPolicy } from '../process/network/policy.ts'
import { waitUntil } from '../process/processes.ts'
import { describeMissing } from '../process/walls.ts'
import { type Api, ApiUnreached, openApi, orNothing } from './api.ts'
import { growClaim, hasGrown, removeClaim } from './claims.ts'
import { removeUnusedCode } from './content.ts'
import { FILES, findFiles, openFiles } from './files.ts'
import { findOut, type Knowledge } from './find-out.ts'
import { measure } from './measure.ts'
import { label, more, nameThings } from './names.ts'
import type { KubernetesClusterOptions, KubernetesPlace } from './options.ts'
import { endPod, findPod, isPulling, listPods, logsOf, readPod, unlessGone } from './pods.ts'
import { endsOf, removeService } from './reach.ts'
import { findGameScript, killScript, receiveScript, stopScript } from './scripts.ts'
import { runTask } from './tasks.ts'
import { watchPods } from './watch.ts'
import { exec } from './ways.ts'
import { type Ground, launch, stopSet, SUPERVISOR } from './workload.ts'

/** Until a Pod talks: a node may have to fetch the image, a volume to be made. */
const READY_MS = 240_000
const PULL_MS = 30_000
/** How long the last of a game that has ended may take to go, and the supervisor's own helpers. */
const LAST_OF_GAME_MS = 4_000
const DELIVER_MS = 10 * 60_000

type Running = Placement & { state: 'running' }
const unsaid: KubernetesPlace = { namespace: '', image: '', storageClass: null, reach: 'pods', address: null, from: [] }

export function createKubernetesCluster(options: KubernetesClusterOptions): Cluster {
  const { logger, mayMiss, publicKey, supervisorFile, filesFile } = options
  const where = options.place ?? unsaid
  const dataDir = resolve(options.dataDir)
  const policy = { ...createPolicy(options.network), resolvers: options.network.resolvers }
  const names = nameThings({ installation: publicKey, clusterId: options.id })
  const folder = join(dataDir, 'clusters', names.mark)
  const downloads = join(dataDir, 'cache', 'downloads')
  let opened: Promise<Api> | undefined
  let known: Promise<Knowledge> | undefined

  function open(): Promise<Api> {
    if (options.place === undefined)
      return Promise.reject(new ApiUnreached('nobody has said how this Kubernetes is reached'))
    opened ??= openApi(where).catch((error: unknown) => {
      opened = undefined // its file may be there later
      throw error
    })
    return opened
  }
  function know(): Promise<Knowledge> {
    known ??= open()
      .then((api) => findOut(api, { names, place: where, policy }))
      .catch((error: unknown) => {
        known = undefined // it may be there later
        throw error
      })
    return known
  }
  const refusedOf = ({ missing }: Knowledge) => missing.filter(({ wall }) => !mayMiss.includes(wall))

  /** @throws Error where the cluster lacks what it must have */
  async function stand(): Promise<Ground> {
    const knowledge = await know()
    const refused = refusedOf(knowledge)
    if (refused.length > 0) throw new Error(`no server is placed: ${refused.map(describeMissing).join('; ')}`)
    return { api: await open(), names, place: where, knowledge, resolvers: policy.resolvers, publicKey }
  }

  const withServer = <T>(serverId: string, action: () => Promise<T>): Promise<T> =>
    withLock(join(folder, 'locks', names.server(serverId)), action)

  async function check() {
    try {
      const knowledge = await know()
      await cleanUp()
      const problems = [...knowledge.missing.map(describeMissing), ...knowledge.notes]
      for (const problem of problems) logger.warn({ cluster: options.id }, problem)
      return { ok: refusedOf(knowledge).length === 0, problems }
    } catch (error) {
      const problem = (error as Error).message
      logger.warn({ cluster: options.id }, problem)
      return { ok: false, problems: [problem] }
    }
  }

  async function cleanUp(): Promise<void> {
    const api = await open()
    await removeEndedFiles(api)
    await removeUnusedCode(api, names, [
      { file: supervisorFile, name: 'supervisor.mjs' },
      { file: filesFile, name: 'files.mjs' },
    ])
  }

  /** Jobs go by themselves. */
  async function removeEndedFiles(api: Api): Promise<void> {
    const { core, namespace, ask } = api
    for (const { metadata, status } of await listPods(api, names.selector({ [label.box]: FILES }))) {
      if (status?.phase !== 'Succeeded' && status?.phase !== 'Failed') continue
      const [name, serverId] = [metadata?.name as string, metadata?.labels?.[label.server] as string]
      await ask(core.deleteNamespacedPod({ namespace, name })).catch(unlessGone)
      await removeService(api, where, names.files(serverId))
    }
  }

  async function inspect(serverId: string): Promise<Placement> {
    if (options.place === undefined) return { state: 'absent' }
    try {
      return await look(await open(), serverId)
    } catch (error) {
      if (!(error instanceof ApiUnreached)) throw error
      return { state: 'lost', node: 'the API of Kubernetes' }
    }
  }

  async function look(api: Api, serverId: string): Promise<Placement> {
    const { apps, namespace, ask } = api
    const name = names.server(serverId)
    const [set, pod] = await Promise.all([
      orNothing(ask(apps.readNamespacedStatefulSet({ namespace, name }))),
      findPod(api, names.pod(serverId)),
    ])
    if (set === undefined) return { state: 'absent' }
    const ended = set.metadata?.annotations?.[more.ended]
    if (set.spec?.replicas === 0) return { state: 'exited', inOrder: ended === '0' }
    const state = pod && readPod(pod, SUPERVISOR)
    if (state === undefined || state.state === 'pending') return { state: 'absent' }
    if (state.state === 'lost') return { state: 'lost', node: state.node }
    if (state.state === 'ended') return { state: 'exited', inOrder: state.code === 0 }
    const ends = await endsOf(api, where, { name, address: state.address })
    if (ends === undefined) return { state: 'absent' }
    return {
      state: 'running',
      endpoint: { kind: 'http', url: urlOf(ends.control.host, ends.control.port) },
      game: ends.game,
    }
  }

  async function place(workload: Workload): Promise<Running> {
    const { serverId } = workload
    return withServer(serverId, async () => {
      const before = await inspect(serverId)
      if (before.state === 'lost') throw new ApiUnreached(`${before.node} does not answer`)
      if (before.state === 'running') return untilItAnswers(serverId)
      const ground = await stand()
      await launch({ ...ground, supervisorFile }, workload)
      const placed = await untilItAnswers(serverId)
      logger.info({ serverId, cluster: options.id }, 'supervisor placed')
      return placed
    })
  }

  async function untilItAnswers(serverId: string): Promise<Running> {
    const api = await open()
    const name = names.pod(serverId)
    let why = ''
    let pullsSince: number | undefined
    for (const end = Date.now() + READY_MS; Date.now() < end; await delay(50)) {
      const found = await inspect(serverId)
      if (found.state === 'running' && (await answersHttp((found.endpoint as { url: string }).url))) return found
      if (found.state === 'exited') break
      const pod = await findPod(api, name)
      const state = pod && readPod(pod, SUPERVISOR)
      if (state?.state !== 'pending') continue
      why = state.why
      if (isPulling(why)) pullsSince ??= Date.now()
      if (state.isHopeless || (pullsSince !== undefined && Date.now() - pullsSince > PULL_MS)) break
    }
    throw new Error(`supervisor does not answer: ${(await logsOf(api, name, SUPERVISOR)) || why}`)
  }

  /** The Pod of a supervisor that runs, or waits after it has ended. @throws ApiUnreached while its machine is lost */
  async function podOf(api: Api, serverId: string): Promise<{ pod: string; container: string } | undefined> {
    const pod = names.pod(serverId)
    const found = await findPod(api, pod)
    const state = found && readPod(found, SUPERVISOR)
    if (state?.state === 'lost') throw new ApiUnreached(`${state.node} does not answer`)
    return state?.state === 'running' ? { pod, container: SUPERVISOR } : undefined
  }

  async function isGameGone(serverId: string): Promise<boolean> {
    const api = await open()
    const at = await podOf(api, serverId)
    if (at === undefined) return true
    const { code, out } = await exec(api, at, ['/bin/sh', '-c', findGameScript])
    return code === 0 && out.trim() === ''
  }

  async function endGame(serverId: string): Promise<'gone' | 'ended with its supervisor'> {
    return withServer(serverId, async () => {
      if (await waitUntil(() => isGameGone(serverId), LAST_OF_GAME_MS)) return 'gone'
      const api = await open()
      const at = await podOf(api, serverId)
      if (at !== undefined) await exec(api, at, ['/bin/sh', '-c', killScript]).catch(() => undefined)
      if (!(await waitUntil(async () => (await podOf(api, serverId)) === undefined, LAST_OF_GAME_MS)))
        await endPod(api, names.pod(serverId))
      return 'ended with its supervisor'
    })
  }

  async function endBoxes(api: Api, serverId: string): Promise<void> {
    const { batch, namespace, ask } = api
    const labelSelector = names.selector({ [label.role]: 'box', [label.server]: serverId })
    const jobs = await ask(batch.listNamespacedJob({ namespace, labelSelector }))
    for (const { metadata } of jobs.items)
      await ask(
        batch.deleteNamespacedJob({ namespace, name: metadata?.name as string, propagationPolicy: 'Background' }),
      ).catch(unlessGone)
    await Promise.all((await listPods(api, labelSelector)).map(({ metadata }) => endPod(api, metadata?.name as string)))
    await removeService(api, where, names.files(serverId))
  }

  async function remove(serverId: string, { volume }: { volume: 'keep' | 'delete' } = { volume: 'keep' }) {
    await withServer(serverId, async () => {
      const api = await open()
      const { apps, namespace, ask } = api
      if (volume === 'delete') await endBoxes(api, serverId)
      const name = names.server(serverId)
      await stopSet(api, name)
      await endPod(api, names.pod(serverId))
      await ask(apps.deleteNamespacedStatefulSet({ namespace, name })).catch(unlessGone)
      await removeService(api, where, name)
      if (volume === 'delete') await removeClaim(api, names.volume(serverId))
    })
  }

  /** None while the API is away. */
  async function list(): Promise<string[]> {
    try {
      const { apps, namespace, ask } = await open()
      const labelSelector = names.selector({ [label.role]: 'server' })
      const { items } = await ask(apps.listNamespacedStatefulSet({ namespace, labelSelector }))
      return items.flatMap(({ metadata }) => metadata?.labels?.[label.server] ?? [])
    } catch (error) {
      if (!(error instanceof ApiUnreached)) throw error
      return []
    }
  }

  async function provide(plan: InstallPlan, serverId: string): Promise<void> {
    try {
      const api = await open()
      const at = await podOf(api, serverId)
      if (at === undefined) return
      await provideFiles(plan, { folder: downloads, internet: policy.internet })
      const files = plan.packages.flatMap(({ downloadFiles }) => downloadFiles.map(nameOf))
      for (const name of files) {
        const path = join(downloads, name)
        if (!existsSync(path)) continue // it can fetch that itself
        const there = await exec(api, at, ['/usr/bin/test', '-e', `/run/downloads/${name}`])
        if (there.code === 0) continue
        const command = ['/bin/sh', '-c', receiveScript, 'receive', name, String(statSync(path).size)]
        const input = createReadStream(path) as AsyncIterable<Buffer>
        const { code } = await exec(api, at, command, { input, patience: DELIVER_MS })
        if (code !== 0) throw new Error(`${name} was not taken`)
      }
    } catch (error) {
      // What cannot be had is missed by the supervisor too, which tells of it.
      logger.warn({ error, serverId }, 'files of packages could not be provided')
    }
  }

  async function openFilesOf(serverId: string, limits: Workload['limits']): Promise<FilesEndpoint> {
    const url = await findFiles({ api: await open(), names, place: where }, serverId).catch(() => undefined)
    if (url !== undefined && (await answersHttp(url))) return { kind: 'http', url }
    return withServer(serverId, async () => openFiles({ ...(await stand()), filesFile }, serverId, limits))
  }

  async function growDisk(serverId: string, diskBytes: number): Promise<boolean> {
    const api = await open()
    const name = names.volume(serverId)
    const grows = await growClaim(api, name, diskBytes)
    // A supervisor that counts for itself keeps to what it was told when it was placed.
    if (!grows || !(await know()).hasQuota) return false
    return hasGrown(api, name, diskBytes)
  }

  async function stopAll({ timeoutSeconds }: { timeoutSeconds: number }) {
    const all = await list()
    if (all.length === 0) return
    const api = await open()
    await Promise.all(all.map((serverId) => endBoxes(api, serverId).catch(() => undefined)))
    await Promise.all(
      all.map(async (serverId) => {
        const pod = names.pod(serverId)
        const at = await podOf(api, serverId).catch(() => undefined)
        if (at !== undefined) {
          await exec(api, at, ['/bin/sh', '-c', stopScript]).catch(() => undefined)
          const hasEnded = async () => (await podOf(api, serverId)) === undefined
          if (!(await waitUntil(hasEnded, timeoutSeconds * 1000)))
            logger.warn({ serverId }, 'supervisor did not stop in time and was killed')
        }
        const found = await findPod(api, pod)
        const state = found && readPod(found, SUPERVISOR)
        if (state === undefined || state.state === 'lost') return
        await stopSet(api, names.server(serverId), state.state === 'ended' ? state.code : null)
        await endPod(api, pod)
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
    // Kubernetes has no word for it.
    giveBackMemory: async () => null,
    growDisk,
    async runTask(serverId: string, task: Task) {
      return runTask(await stand(), serverId, task)
    },
    openFiles: openFilesOf,
    async closeBoxes(serverId) {
      await withServer(serverId, async () => endBoxes(await open(), serverId))
    },
    remove,
    list,
    async capacity() {
      return measure(await open(), names)
    },
    watch: (signal) =>
      watchPods({
        open,
        names,
        list,
        onBoxEnd: () =>
          void open()
            .then(removeEndedFiles)
            .catch(() => undefined),
        signal,
      }),
    stopAll,
  }
}
