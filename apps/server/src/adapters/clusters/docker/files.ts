/** The container in which the files service of a server runs. */
import { setTimeout as delay } from 'node:timers/promises'
import type { FilesConfig } from '@wakestone/protocol/files'
import type { FilesEndpoint } from '../cluster.ts'
import { serviceRules } from '../process/network/rules.ts'
import { BOX_WEIGHT, boxLabels, type Limits, type Place, removeBox, SUPERVISORS, type WithContent } from './boxes.ts'
import { contentOf, provideContent } from './content.ts'
import { describeContainer } from './containers.ts'
import { LINK, startGuard } from './guard.ts'
import { gameUserOf, label } from './names.ts'
import { filesScript } from './scripts.ts'
import { answersHttp, urlOf } from './reach.ts'

/** Name of the box. */
const FILES = 'files'
const READY_MS = 30_000
const MEMORY_BYTES = 384 * 1024 ** 2
/** Unpacking takes a core for a moment, whatever the plan has for the game. */
const LEAST_CPU = 1
const CAPABILITIES = ['SETUID', 'SETGID', 'SETPCAP', 'CHOWN', 'DAC_OVERRIDE', 'FOWNER']

/** Undefined where none is up. */
export async function findFiles({ host, names }: Pick<Place, 'host' | 'names'>, serverId: string) {
  const found = (await host.list({ [label.server]: serverId, [label.box]: FILES })).find(
    ({ name }) => name === names.box(serverId, FILES),
  )
  return found?.state === 'running' ? urlOf(host.address, Number(found.labels[label.control])) : undefined
}

/** To be called under the server's lock. @throws Error where it cannot be started */
export async function openFiles(
  place: Place & { filesFile: string; publicKey: string; withContent: WithContent },
  serverId: string,
  limits: Limits,
): Promise<FilesEndpoint> {
  const { host, names, image, knowledge, publicKey } = place
  const url = await findFiles(place, serverId)
  if (url !== undefined && (await answersHttp(url))) return { kind: 'http', url }
  const container = names.box(serverId, FILES)
  await removeBox(host, container)
  await host.makeVolume(names.volume(serverId), 'volume', { [label.server]: serverId })
  await host.makeVolume(names.empty, 'content')
  const guard = names.boxGuard(serverId, FILES)
  const { ports } = await startGuard(host, names, {
    container: guard,
    image,
    labels: { [label.server]: serverId, [label.box]: FILES },
    wanted: [['tcp']],
    rules: ([port = 0]) => serviceRules(LINK, port),
    dns: [],
  })
  const port = ports[0] as number
  const config: FilesConfig = {
    serverId,
    listen: { port },
    publicKey,
    volume: '/data',
    diskBytes: limits.diskBytes,
    diskQuota: false,
  }
  const flags = ['--max-semi-space-size=1', '--max-old-space-size=160', '--no-warnings']
  await place.withContent(async () => {
    const bundle = await provideContent(host, names, image, contentOf({ 'files.mjs': place.filesFile }))
    await host.create(
      container,
      describeContainer({
        image,
        labels: names.labels('box', {
          ...boxLabels(serverId, FILES, [bundle], false),
          [label.control]: String(port),
        }),
        env: {
          PATH: '/usr/local/bin:/usr/bin:/bin',
          LANG: 'C.UTF-8',
          TZ: 'UTC',
          HOME: '/tmp',
          WS_USER: String(gameUserOf(serverId, knowledge.mapsUsers)),
          WS_CONFIG: JSON.stringify(config),
        },
        command: [
          '/bin/sh',
          '-c',
          filesScript,
          'files',
          '/opt/wakestone/bin/node',
          ...flags,
          '/opt/wakestone/files/files.mjs',
          '/run/wakestone/config.json',
        ],
        network: `container:${guard}`,
        capabilities: CAPABILITIES,
        memoryBytes: MEMORY_BYTES,
        cpu: Math.max(LEAST_CPU, limits.cpu),
        weight: BOX_WEIGHT,
        fileBytes: limits.diskBytes,
        mounts: [
          { source: names.volume(serverId), target: '/data', write: true },
          { source: names.empty, target: SUPERVISORS, write: false },
          { source: bundle, target: '/opt/wakestone/files', write: false },
        ],
      }),
    )
  })
  await host.start(container)
  const own = urlOf(host.address, port)
  for (const end = Date.now() + READY_MS; !(await answersHttp(own)); await delay(50)) {
    if (Date.now() < end && (await host.look(container))?.state === 'running') continue
    const reason = await host.logsOf(container)
    await removeBox(host, container)
    throw new Error(`files service did not start: ${reason.slice(-500)}`)
  }
  return { kind: 'http', url: own }
}
