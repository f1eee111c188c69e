/** The objects of one server: a StatefulSet that has one Pod or none, with the supervisor and its game. */
import type { V1StatefulSet } from '@kubernetes/client-node'
import type { SupervisorConfig } from '@wakestone/protocol/supervisor'
import type { Workload } from '../cluster.ts'
import { memoryOf, MOST_PROCESSES } from '../docker/containers.ts'
import { SUPERVISOR_NODE_FLAGS } from '../process/sandbox.ts'
import { type Api, ApiRefusal } from './api.ts'
import { ensureClaim } from './claims.ts'
import { provideCode } from './content.ts'
import type { Knowledge } from './find-out.ts'
import { gameUserOf, label, more, type Names } from './names.ts'
import { claimVolume, codeVolume, describePod, emptyVolume, ports } from './objects.ts'
import type { KubernetesPlace } from './options.ts'
import { endPod } from './pods.ts'
import { ensureService } from './reach.ts'
import { supervisorScript } from './scripts.ts'

export const SUPERVISOR = 'supervisor'
export const DOWNLOADS = '/run/downloads'
/** Of files that servers cannot fetch themselves. */
const DOWNLOAD_BYTES = 2 * 1024 ** 3

export type Ground = {
  api: Api
  names: Names
  place: KubernetesPlace
  knowledge: Knowledge
  resolvers: string[]
  publicKey: string
}

/** To be called under the server's lock, while no supervisor lives. */
export async function launch(
  ground: Ground & { supervisorFile: string },
  { serverId, limits }: Workload,
): Promise<void> {
  const { api, names, place } = ground
  const name = names.server(serverId)
  await stopSet(api, name)
  await endPod(api, names.pod(serverId))
  await ensureClaim(api, names, place, { serverId, diskBytes: limits.diskBytes })
  const code = await provideCode(api, names, { file: ground.supervisorFile, name: 'supervisor.mjs' })
  const body = describeSet(ground, { serverId, limits }, code)
  await ensureService(api, names, place, { name, labels: labelsOf(names, serverId), withGame: true })
  const { apps, namespace, ask } = api
  try {
    await ask(apps.createNamespacedStatefulSet({ namespace, body, fieldValidation: 'Strict' }))
  } catch (error) {
    if (!(error instanceof ApiRefusal) || error.status !== 409) throw error
    const { template, replicas } = body.spec as NonNullable<V1StatefulSet['spec']>
    const change = { metadata: { annotations: { [more.ended]: null } }, spec: { template, replicas } }
    await ask(apps.patchNamespacedStatefulSet({ namespace, name, body: change }))
  }
}

/** Has no Pod made for it any more. @param code with what its supervisor ended */
export async function stopSet({ apps, namespace, ask }: Api, name: string, code?: number | null): Promise<void> {
  const body = {
    spec: { replicas: 0 },
    ...(code !== undefined && { metadata: { annotations: { [more.ended]: String(code) } } }),
  }
  try {
    await ask(apps.patchNamespacedStatefulSet({ namespace, name, body }))
  } catch (error) {
    if (!(error instanceof ApiRefusal) || error.status !== 404) throw error
  }
}

export const labelsOf = (names: Names, serverId: string) => names.labels('server', { [label.server]: serverId })

export function describeSet(
  { names, place, knowledge, resolvers, publicKey }: Omit<Ground, 'api'>,
  { serverId, limits }: Workload,
  code: string,
): V1StatefulSet {
  const labels = labelsOf(names, serverId)
  const config: SupervisorConfig = {
    serverId,
    listen: { port: ports.control },
    publicKey,
    volume: '/data',
    limits,
    cgroup: '/sys/fs/cgroup',
    ownNetwork: true,
    gamePort: ports.own,
    leadPort: ports.game,
    downloads: DOWNLOADS,
    diskQuota: knowledge.hasQuota,
  }
  return {
    metadata: {
      name: names.server(serverId),
      labels,
      annotations: { [label.memory]: String(memoryOf(limits)) },
    },
    spec: {
      replicas: 1,
      serviceName: names.network,
      podManagementPolicy: 'Parallel',
      // What runs keeps the code that it was started with.
      updateStrategy: { type: 'OnDelete' },
      selector: { matchLabels: labels },
      template: describePod({
        labels,
        user: gameUserOf(serverId, false),
        restart: 'Always',
        resolvers,
        beside: { labels: { [label.server]: serverId }, must: false },
        containers: [
          {
            name: SUPERVISOR,
            image: place.image,
            script: supervisorScript,
            args: [
              '/opt/wakestone/bin/node',
              ...SUPERVISOR_NODE_FLAGS,
              '/run/wakestone/code/supervisor.mjs',
              '/run/wakestone/config.json',
            ],
            env: {
              WS_CONFIG: JSON.stringify(config),
              WS_FILE: String(limits.diskBytes),
              WS_PROCESSES: String(MOST_PROCESSES),
            },
            memoryBytes: memoryOf(limits),
            cpu: limits.cpu,
            port: ports.control,
            mounts: [
              { volume: 'data', path: '/data' },
              { volume: 'given', path: '/opt/wakestone/given', readOnly: true },
              { volume: 'downloads', path: DOWNLOADS },
            ],
          },
        ],
        volumes: [claimVolume(names.volume(serverId)), codeVolume(code), emptyVolume('downloads', DOWNLOAD_BYTES)],
      }),
    },
  }
}
