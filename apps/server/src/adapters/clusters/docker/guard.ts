/**
 * The network of a server, or of a service of ours: a container that holds it, with the packet filter's rules inside, which
 * nothing that joins it may change. So what is refused does not depend on the machine's own rules.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { createHash } from 'node:crypto'
import { describeContainer } from './containers.ts'
import { EngineRefusal } from './engine.ts'
import type { Host } from './host.ts'
import type { Names } from './names.ts'
import { guardScript } from './scripts.ts'

/** On a machine, for servers: below those that kernels give to outgoing connections, and apart from the process driver's. */
const FIRST_PORT = 14_000
const PORTS = 8_000
const TRIES = 40
const READY_MS = 20_000
export const LINK = 'eth0'

type Guarded = { ports: number[] }

async function ensureNetwork(host: Host, names: Names): Promise<void> {
  const { status } = await host.engine.call('GET', `/networks/${names.network}`, { accepts: [404] })
  if (status === 200) return
  // Containers of Docker's bridges may be kept from each other by itself too; Podman's by the rules inside alone.
  const options = (await isPodman(host)) ? {} : { 'com.docker.network.bridge.enable_icc': 'false' }
  const body = {
    Name: names.network,
    Driver: 'bridge',
    EnableIPv6: false,
    Options: options,
    Labels: names.labels('guard'),
  }
  await host.engine.call('POST', '/networks/create', { body, accepts: [409] }) // somebody else has just made it
}

async function isPodman(host: Host): Promise<boolean> {
  const { body } = await host.engine.call('GET', '/version')
  const { Components = [] } = body as { Components?: { Name: string }[] }
  return Components.some(({ Name }) => Name.includes('Podman'))
}

/**
 * Starts one anew, with as many ports of the machine as are wanted: the same inside and outside.
 * @param rules for the ports that it has got
 * @throws Error where the rules cannot be laid; nothing is left then
 */
export async function startGuard(
  host: Host,
  names: Names,
  options: {
    container: string
    image: string
    labels: Record<string, string>
    /** Ways that each of its ports is spoken to. */
    wanted: ('tcp' | 'udp')[][]
    rules: (ports: number[]) => string
    dns: string[]
  },
): Promise<Guarded> {
  await ensureNetwork(host, names)
  const start = createHash('sha256').update(options.container).digest().readUInt32BE()
  for (let attempt = 0; ; attempt++) {
    const ports = options.wanted.map((_, index) => FIRST_PORT + ((start + attempt * 7 + index * 3001) % PORTS))
    await host.remove(options.container)
    const made = await host.create(
      options.container,
      describeContainer({
        image: options.image,
        labels: names.labels('guard', options.labels),
        env: { WS_RULES: options.rules(ports) },
        command: ['/bin/sh', '-c', guardScript],
        network: names.network,
        capabilities: ['NET_ADMIN'],
        memoryBytes: 32 * 1024 ** 2,
        processes: 16,
        scratch: false,
        ports: ports.map((port, index) => ({ address: host.address, port, protocols: options.wanted[index]! })),
        dns: options.dns,
        sysctls: { 'net.ipv4.conf.all.route_localnet': '1', 'net.ipv4.conf.default.route_localnet': '1' },
      }),
    )
    if (!made) throw new Error(`${options.container} is there already`)
    try {
      await host.start(options.container)
      await waitUntilGuarded(host, options.container)
      return { ports }
    } catch (error) {
      await host.remove(options.container)
      const isTaken =
        error instanceof EngineRefusal && /address already in use|port is already allocated/i.test(error.message)
      if (!isTaken || attempt >= TRIES) throw error
    }
  }
}

async function waitUntilGuarded(host: Host, container: string): Promise<void> {
  for (const end = Date.now() + READY_MS; ; await delay(30)) {
    const said = await host.logsOf(container)
    if (/^guarded$/m.test(said)) return
    const found = await host.look(container)
    if (found?.state !== 'running' || Date.now() > end)
      throw new Error(`no rules can be laid around a network on ${host.name}: ${said.slice(-300)}`)
  }
}
