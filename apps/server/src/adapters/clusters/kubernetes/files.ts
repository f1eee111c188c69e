/** The Pod in which the files service of a server runs. */
import { setTimeout as delay } from 'node:timers/promises'
import type { FilesConfig } from '@wakestone/protocol/files'
import type { FilesEndpoint, Workload } from '../cluster.ts'
import { MOST_PROCESSES } from '../docker/containers.ts'
import { answersHttp, urlOf } from '../docker/reach.ts'
import { create } from './api.ts'
import { ensureClaim } from './claims.ts'
import { provideCode } from './content.ts'
import { gameUserOf, label } from './names.ts'
import { BOX_GRACE_SECONDS, claimVolume, codeVolume, describePod, emptyVolume, ports } from './objects.ts'
import { endPod, findPod, logsOf, readPod } from './pods.ts'
import { endsOf, ensureService } from './reach.ts'
import { bringScript, filesScript } from './scripts.ts'
import type { Ground } from './workload.ts'

export const FILES = 'files'
const READY_MS = 180_000
const MEMORY_BYTES = 384 * 1024 ** 2
/** Unpacking takes a core for a moment, whatever the plan has for the game. */
const LEAST_CPU = 1

/** Undefined where none is up. */
export async function findFiles({ api, names, place }: Pick<Ground, 'api' | 'names' | 'place'>, serverId: string) {
  const name = names.files(serverId)
  const pod = await findPod(api, name)
  const state = pod && readPod(pod, FILES)
  if (state?.state !== 'running') return undefined
  const ends = await endsOf(api, place, { name, address: state.address })
  return ends && urlOf(ends.control.host, ends.control.port)
}

/** To be called under the server's lock. @throws Error where it cannot be started */
export async function openFiles(
  ground: Ground & { filesFile: string },
  serverId: string,
  limits: Workload['limits'],
): Promise<FilesEndpoint> {
  const { api, names, place, knowledge, publicKey } = ground
  const url = await findFiles(ground, serverId)
  if (url !== undefined && (await answersHttp(url))) return { kind: 'http', url }
  const name = names.files(serverId)
  await endPod(api, name)
  await ensureClaim(api, names, place, { serverId, diskBytes: limits.diskBytes })
  const code = await provideCode(api, names, { file: ground.filesFile, name: 'files.mjs' })
  const labels = names.labels('box', { [label.server]: serverId, [label.box]: FILES })
  const config: FilesConfig = {
    serverId,
    listen: { port: ports.control },
    publicKey,
    volume: '/data',
    diskBytes: limits.diskBytes,
    diskQuota: knowledge.hasQuota,
  }
  const image = place.image
  const template = describePod({
    labels,
    user: gameUserOf(serverId, false),
    restart: 'Never',
    resolvers: [],
    graceSeconds: BOX_GRACE_SECONDS,
    beside: { labels: { [label.server]: serverId }, must: (await findPod(api, names.pod(serverId))) !== undefined },
    init: [
      {
        name: 'bring',
        image,
        script: bringScript,
        env: { WS_BRINGS: '0' },
        memoryBytes: 64 * 1024 ** 2,
        cpu: LEAST_CPU,
        mounts: [{ volume: 'data', path: '/data' }],
      },
    ],
    containers: [
      {
        name: FILES,
        image,
        script: filesScript,
        args: [
          '/opt/wakestone/bin/node',
          '--max-semi-space-size=1',
          '--max-old-space-size=160',
          '--no-warnings',
          '/run/wakestone/code/files.mjs',
          '/run/wakestone/config.json',
        ],
        env: {
          HOME: '/tmp',
          WS_CONFIG: JSON.stringify(config),
          WS_FILE: String(limits.diskBytes),
          WS_PROCESSES: String(MOST_PROCESSES),
        },
        memoryBytes: MEMORY_BYTES,
        cpu: Math.max(LEAST_CPU, limits.cpu),
        port: ports.control,
        mounts: [
          { volume: 'data', path: '/data' },
          { volume: 'covered', path: '/data/.wakestone', readOnly: true },
          { volume: 'given', path: '/opt/wakestone/given', readOnly: true },
        ],
      },
    ],
    volumes: [claimVolume(names.volume(serverId)), emptyVolume('covered'), codeVolume(code)],
  })
  const { core, namespace, ask } = api
  await ensureService(api, names, place, { name, labels, withGame: false })
  const body = { metadata: { ...template.metadata, name }, spec: template.spec! }
  await create(ask(core.createNamespacedPod({ namespace, body, fieldValidation: 'Strict' })))
  let why = ''
  for (const end = Date.now() + READY_MS; Date.now() < end; await delay(50)) {
    const own = await findFiles(ground, serverId)
    if (own !== undefined && (await answersHttp(own))) return { kind: 'http', url: own }
    const pod = await findPod(api, name)
    const state = pod && readPod(pod, FILES)
    if (state?.state === 'pending') why = state.why
    if (state === undefined || state.state === 'ended' || state.state === 'lost') break
    if (state.state === 'pending' && state.isHopeless) break
  }
  const said = await logsOf(api, name, FILES)
  await endPod(api, name).catch(() => undefined)
  throw new Error(`files service did not start: ${said || why}`)
}
