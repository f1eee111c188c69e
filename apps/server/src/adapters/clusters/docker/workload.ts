/** The containers of one server: its network, and its supervisor with the game. */
import type { SupervisorConfig } from '@wakestone/protocol/supervisor'
import { insideRules } from '../process/network/rules.ts'
import type { NetworkPolicy } from '../process/network/policy.ts'
import { SUPERVISOR_NODE_FLAGS } from '../process/sandbox.ts'
import type { Limits, Place, WithContent } from './boxes.ts'
import { describeContainer, memoryOf, MOST_PROCESSES, SUPERVISOR_CAPABILITIES } from './containers.ts'
import { contentOf, provideContent } from './content.ts'
import { LINK, startGuard } from './guard.ts'
import { gameUserOf, label } from './names.ts'
import { supervisorScript } from './scripts.ts'

const DOWNLOADS = '/run/downloads'

/** To be called under the server's lock, while no supervisor lives. */
export async function launch(
  {
    host,
    names,
    image,
    knowledge,
    policy,
    publicKey,
    supervisorFile,
    withContent,
  }: Place & {
    policy: NetworkPolicy
    publicKey: string
    supervisorFile: string
    withContent: WithContent
  },
  serverId: string,
  limits: Limits,
): Promise<void> {
  const [container, guard] = [names.server(serverId), names.guard(serverId)]
  await host.remove(container)
  await host.makeVolume(names.volume(serverId), 'volume', { [label.server]: serverId })
  await host.makeVolume(names.downloads, 'content')
  const { ports } = await startGuard(host, names, {
    container: guard,
    image,
    labels: { [label.server]: serverId },
    wanted: [['tcp', 'udp'], ['tcp']],
    rules: ([port = 0, control = 0]) =>
      insideRules(policy, { link: LINK, port, redirect: true, control, refused: host.refused }),
    dns: policy.resolvers,
  })
  const [gamePort, control] = ports as [number, number]
  const uid = gameUserOf(serverId, knowledge.mapsUsers)
  const config: SupervisorConfig = {
    serverId,
    listen: { port: control },
    publicKey,
    volume: '/data',
    limits,
    cgroup: '/sys/fs/cgroup',
    ownNetwork: true,
    gamePort,
    downloads: DOWNLOADS,
    diskQuota: false,
    sandbox: { gameUser: { uid, gid: uid } },
  }
  await withContent(async () => {
    const bundle = await provideContent(host, names, image, contentOf({ 'supervisor.mjs': supervisorFile }))
    await host.create(
      container,
      describeContainer({
        image,
        labels: names.labels('server', {
          [label.server]: serverId,
          [label.content]: bundle,
          [label.control]: String(control),
          [label.game]: String(gamePort),
          [label.memory]: String(memoryOf(limits)),
        }),
        env: {
          PATH: '/usr/local/bin:/usr/bin:/bin',
          LANG: 'C.UTF-8',
          TZ: 'UTC',
          WS_USER: String(uid),
          WS_CONFIG: JSON.stringify(config),
        },
        command: [
          '/bin/sh',
          '-c',
          supervisorScript,
          'supervisor',
          '/opt/wakestone/bin/node',
          ...SUPERVISOR_NODE_FLAGS,
          '/opt/wakestone/supervisor/supervisor.mjs',
          '/run/wakestone/config.json',
        ],
        network: `container:${guard}`,
        capabilities: SUPERVISOR_CAPABILITIES,
        memoryBytes: memoryOf(limits),
        cpu: limits.cpu,
        processes: MOST_PROCESSES,
        fileBytes: limits.diskBytes,
        mounts: [
          { source: names.volume(serverId), target: '/data', write: true },
          { source: bundle, target: '/opt/wakestone/supervisor', write: false },
          { source: names.downloads, target: DOWNLOADS, write: false },
        ],
      }),
    )
  })
  await host.start(container)
}
