/**
 * One machine of a cluster, with the controllers that a whole cluster has: it speaks to an API server, the simulated one or
 * a real one, and starts what it is given as real processes.
 */
import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type ApiAddress, createClient, Refused } from './client.ts'
import {
  type Container,
  type ContainerSpec,
  giveRangeBack,
  makeNetwork,
  removeNetwork,
  startContainer,
  startInside,
} from './containers.ts'
import { reconcile } from './controllers.ts'
import type { KubeObject } from './kinds.ts'
import { serveKubelet } from './kubelet-server.ts'

type Running = {
  spec: ContainerSpec
  container: Container | undefined
  restarts: number
  last?: object
  ended?: object
}
type Placed = {
  pod: KubeObject
  folder: string
  network: string
  address: string
  containers: Map<string, Running>
  isEnding: boolean
  isOver: boolean
}
export type SimulatedNode = Awaited<ReturnType<typeof startNode>>

export async function startNode({
  api,
  name = 'node-one',
  images,
  tls,
}: {
  api: ApiAddress
  name?: string
  /** Those that it can pull. */
  images: readonly string[]
  /** With which it is asked by a real API server. */
  tls?: { key: string; cert: string }
}) {
  const client = createClient(api)
  const folder = mkdtempSync(join(tmpdir(), 'wskn-'))
  const placed = new Map<string, Placed>()
  const closing = new AbortController()
  let isLost = false
  let isDirty = false
  let working: Promise<void> | undefined

  const find = (pod: string, container: string) => {
    const found = [...placed.values()].find((one) => one.pod.metadata.name === pod)
    const running = found?.containers.get(container)
    return running?.container === undefined ? undefined : { running, container: running.container }
  }
  const kubelet = await serveKubelet(
    {
      log: ({ pod, container }) => find(pod, container)?.container.log(),
      exec: ({ pod, container, query }) => {
        const found = find(pod, container)
        return found && startInside(found.container, found.running.spec, query.getAll('command'))
      },
      attach: ({ pod, container }) => {
        const found = find(pod, container)
        return found && { child: found.container.child, endsInput: true }
      },
    },
    tls,
  )
  await client.call('POST', '/api/v1/nodes', {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { 'kubernetes.io/hostname': name } },
  })
  const resources = { cpu: '2', memory: '16Gi', pods: '110', 'ephemeral-storage': '50Gi' }
  const tellNode = (ready: string) =>
    client.merge(`/api/v1/nodes/${name}/status`, {
      status: {
        capacity: resources,
        allocatable: resources,
        conditions: [
          {
            type: 'Ready',
            status: ready,
            lastHeartbeatTime: now(),
            lastTransitionTime: now(),
            reason: 'Told',
            message: '',
          },
        ],
        addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
        daemonEndpoints: { kubeletEndpoint: { Port: kubelet.port } },
      },
    })
  await tellNode('True')

  const follow = (path: string) => client.follow(path, touch, closing.signal)
  const known = {
    pods: follow('/api/v1/pods'),
    statefulsets: follow('/apis/apps/v1/statefulsets'),
    jobs: follow('/apis/batch/v1/jobs'),
    claims: follow('/api/v1/persistentvolumeclaims'),
  }

  function touch() {
    isDirty = true
    working ??= (async () => {
      while (isDirty && !closing.signal.aborted) {
        isDirty = false
        try {
          await reconcile(client, name, known)
          if (!isLost) look()
        } catch {
          await delay(100)
          isDirty = true
        }
        await delay(5)
      }
    })().finally(() => (working = undefined))
  }

  /** Starts and ends what the API says. */
  function look() {
    for (const pod of known.pods.values()) {
      const uid = pod.metadata.uid as string
      if (pod.spec.nodeName !== name) continue
      const own = placed.get(uid)
      if (own === undefined && !pod.metadata.deletionTimestamp) void begin(pod)
      else if (own === undefined) void forget(pod)
      else if (pod.metadata.deletionTimestamp && (!own.isEnding || (pod.metadata.deletionGracePeriodSeconds ?? 30) < 2))
        void end(own, pod)
    }
    const there = new Set([...known.pods.values()].map(({ metadata }) => metadata.uid))
    for (const [uid, own] of placed) if (!there.has(uid)) void clear(uid, own)
  }

  async function begin(pod: KubeObject): Promise<void> {
    const uid = pod.metadata.uid as string
    const network = `wsk-${randomBytes(5).toString('hex')}`
    const own: Placed = {
      pod,
      folder: join(folder, uid),
      network,
      address: '',
      containers: new Map(),
      isEnding: false,
      isOver: false,
    }
    placed.set(uid, own)
    try {
      const wrong = [...(pod.spec.initContainers ?? []), ...pod.spec.containers].find(
        (one: any) => !images.includes(one.image),
      )
      if (wrong !== undefined) {
        const state = { waiting: { reason: 'ErrImagePull', message: `image "${wrong.image}" not found` } }
        await tell(own, {
          phase: 'Pending',
          containerStatuses: [statusOf(wrong.name, wrong.image, { ready: false, restartCount: 0, state })],
        })
        return
      }
      own.address = await makeNetwork(network)
      await bringVolumes(own)
      for (const one of pod.spec.initContainers ?? []) {
        await run(own, one)
        await report(own)
        const code = await own.containers.get(one.name)?.container?.exit
        await report(own)
        if (code !== 0) return await finish(own, 'Failed')
      }
      for (const one of pod.spec.containers) await run(own, one)
      await report(own)
    } catch (error) {
      if (!closing.signal.aborted)
        await tell(own, { phase: 'Failed', message: (error as Error).message }).catch(() => undefined)
    }
  }

  async function bringVolumes({ pod, folder: place }: Placed) {
    const { runAsUser = 0, fsGroup = runAsUser } = pod.spec.securityContext ?? {}
    const give = (path: string) => {
      if (existsSync(path)) return
      mkdirSync(path, { recursive: true, mode: 0o775 })
      chownSync(path, runAsUser, fsGroup)
    }
    for (const volume of pod.spec.volumes ?? []) {
      const path = join(place, volume.name)
      if (volume.persistentVolumeClaim !== undefined) {
        const claim = known.claims.get(`${pod.metadata.namespace}/${volume.persistentVolumeClaim.claimName}`)
        if (claim === undefined) throw new Error('no such claim')
        give(join(folder, 'claims', claim.metadata.uid as string))
      } else give(path)
      if (volume.configMap === undefined) continue
      const map = await client.call(
        'GET',
        `/api/v1/namespaces/${pod.metadata.namespace}/configmaps/${volume.configMap.name}`,
      )
      for (const [key, value] of Object.entries((map['binaryData'] ?? {}) as Record<string, string>))
        writeFileSync(join(path, key), Buffer.from(value, 'base64'), { mode: 0o644 })
      for (const [key, value] of Object.entries((map.data ?? {}) as Record<string, string>))
        writeFileSync(join(path, key), value)
    }
  }

  function sourceOf({ pod, folder: place }: Placed, volumeName: string): string {
    const volume = pod.spec.volumes.find((one: any) => one.name === volumeName)
    const claimName = volume?.persistentVolumeClaim?.claimName
    if (claimName === undefined) return join(place, volumeName)
    return join(folder, 'claims', known.claims.get(`${pod.metadata.namespace}/${claimName}`)?.metadata.uid as string)
  }

  async function run(own: Placed, one: any): Promise<void> {
    const { pod } = own
    const { runAsUser = 0, runAsGroup = runAsUser } = { ...pod.spec.securityContext, ...one.securityContext }
    const env = Object.fromEntries(
      (one.env ?? []).map(({ name: key, value = '', valueFrom }: any) => [
        key,
        valueFrom?.fieldRef?.fieldPath === 'status.podIP' ? own.address : value,
      ]),
    )
    const before = own.containers.get(one.name)
    const spec: ContainerSpec = {
      name: one.name,
      command: [...(one.command ?? []), ...(one.args ?? [])],
      env: {
        PATH: '/usr/local/bin:/usr/bin:/bin',
        KUBERNETES_SERVICE_HOST: '10.96.0.1',
        KUBERNETES_SERVICE_PORT: '443',
        ...env,
      },
      user: runAsUser,
      group: runAsGroup,
      mounts: (one.volumeMounts ?? []).map(({ name: volume, mountPath, readOnly = false }: any) => ({
        source: sourceOf(own, volume),
        target: mountPath,
        readOnly,
      })),
      network: own.network,
      stdin: one.stdin === true,
    }
    const running: Running = {
      spec,
      container: undefined,
      restarts: before === undefined ? 0 : before.restarts + 1,
      ...(before?.ended && { last: before.ended }),
    }
    own.containers.set(one.name, running)
    const container = await startContainer(spec)
    running.container = container
    void container.exit.then(async (exitCode) => {
      if (isLost || closing.signal.aborted || own.isOver) return
      running.ended = {
        exitCode,
        reason: exitCode === 0 ? 'Completed' : 'Error',
        startedAt: container.startedAt,
        finishedAt: now(),
      }
      if ((pod.spec.restartPolicy ?? 'Always') === 'Always' && !own.isEnding) await run(own, one)
      await report(own).catch(() => undefined)
    })
  }

  const statusOf = (key: string, image: string, more: object) => ({ name: key, image, imageID: image, ...more })

  async function report(own: Placed): Promise<void> {
    const { pod, containers } = own
    const describe = (one: any) => {
      const running = containers.get(one.name)
      const isUp = running !== undefined && running.ended === undefined && running.container !== undefined
      const state = running?.ended
        ? { terminated: running.ended }
        : isUp
          ? { running: { startedAt: running.container!.startedAt } }
          : { waiting: { reason: 'PodInitializing' } }
      return statusOf(one.name, one.image, {
        ready: isUp,
        restartCount: running?.restarts ?? 0,
        state,
        lastState: running?.last ? { terminated: running.last } : {},
      })
    }
    const all = pod.spec.containers.map((one: any) => containers.get(one.name)) as (Running | undefined)[]
    const isOver = all.every((one) => one?.ended !== undefined) && (own.isEnding || pod.spec.restartPolicy === 'Never')
    const isGood = all.every((one) => (one?.ended as { exitCode: number } | undefined)?.exitCode === 0)
    const phase = isOver
      ? isGood
        ? 'Succeeded'
        : 'Failed'
      : all.every((one) => one?.container)
        ? 'Running'
        : 'Pending'
    await tell(own, {
      phase,
      podIP: own.address,
      hostIP: '127.0.0.1',
      startTime: now(),
      initContainerStatuses: (pod.spec.initContainers ?? []).map(describe),
      containerStatuses: pod.spec.containers.map(describe),
      conditions: [{ type: 'Ready', status: phase === 'Running' ? 'True' : 'False' }],
    })
  }

  const pathOf = ({ metadata }: KubeObject) => `/api/v1/namespaces/${metadata.namespace}/pods/${metadata.name}`
  const tell = ({ pod }: Placed, status: object) => client.merge(`${pathOf(pod)}/status`, { status }).catch(gone)
  const finish = (own: Placed, phase: string) => tell(own, { phase }).then(() => undefined)
  const forget = (pod: KubeObject) =>
    client
      .call('DELETE', pathOf(pod), {
        apiVersion: 'v1',
        kind: 'DeleteOptions',
        gracePeriodSeconds: 0,
        preconditions: { uid: pod.metadata.uid },
      })
      .then(() => undefined, gone)

  async function end(own: Placed, pod: KubeObject): Promise<void> {
    const isFirst = !own.isEnding
    own.isEnding = true
    const up = [...own.containers.values()].flatMap(({ container, ended }) => (container && !ended ? container : []))
    const grace = pod.metadata.deletionGracePeriodSeconds ?? 30
    for (const { pid } of up) kill(pid, grace < 2 ? 'SIGKILL' : 'SIGTERM')
    if (!isFirst) return
    const patience = AbortSignal.timeout(grace * 1000)
    patience.addEventListener('abort', () => up.forEach(({ pid }) => kill(pid, 'SIGKILL')))
    await Promise.all(up.map(({ exit }) => exit))
    if (isLost) return
    await report(own).catch(() => undefined)
    await forget(pod).catch(() => undefined)
  }

  async function clear(uid: string, own: Placed) {
    placed.delete(uid)
    own.isOver = true
    for (const { container } of own.containers.values()) if (container) kill(container.pid, 'SIGKILL')
    await Promise.all([...own.containers.values()].map(({ container }) => container?.exit))
    await removeNetwork(own.network)
    rmSync(own.folder, { recursive: true, force: true })
  }

  return {
    name,
    /** Ends a container of a Pod as the kernel would. */
    killContainer(pod: string, container: string) {
      const found = find(pod, container)
      if (found === undefined) throw new Error(`${pod} has no container ${container} that runs`)
      kill(found.container.pid, 'SIGKILL')
    },
    /** The machine's power is cut: nobody hears of it any more, and the cluster says so. @returns turns it on again */
    async lose(): Promise<() => Promise<void>> {
      isLost = true
      const own = [...placed.values()]
      for (const { containers } of own)
        for (const { container } of containers.values()) if (container) kill(container.pid, 'SIGKILL')
      await tellNode('Unknown')
      for (const one of own)
        await tell(one, { conditions: [{ type: 'Ready', status: 'False', reason: 'NodeNotReady' }] })
      return async () => {
        isLost = false
        await tellNode('True')
        for (const one of own) {
          const { pod } = one
          for (const volume of pod.spec.volumes ?? [])
            if (volume.emptyDir?.medium === 'Memory')
              rmSync(join(one.folder, volume.name), { recursive: true, force: true })
          await bringVolumes(one)
          for (const spec of pod.spec.containers) {
            const running = one.containers.get(spec.name)
            if (running) running.ended = { exitCode: 255, reason: 'Unknown', startedAt: now(), finishedAt: now() }
            if (pod.spec.restartPolicy !== 'Never') await run(one, spec)
          }
          await report(one)
        }
        touch()
      }
    },
    async close() {
      closing.abort()
      await working
      for (const [uid, own] of placed) await clear(uid, own)
      await giveRangeBack()
      kubelet.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const now = () => `${new Date().toISOString().slice(0, 19)}Z`
const gone = (error: unknown): undefined => {
  if (error instanceof Refused && [404, 409].includes(error.status)) return undefined
  throw error
}
function kill(pid: number, signal: NodeJS.Signals) {
  if (pid <= 0) return
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended meanwhile.
  }
}
