/** Finds out what a machine with a container engine gives to servers, by trying it. */
import { randomBytes } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { BlockList, isIP } from 'node:net'
import { join } from 'node:path'
import { insideRules } from '../process/network/rules.ts'
import type { NetworkPolicy } from '../process/network/policy.ts'
import type { MissingWall } from '../process/walls.ts'
import { describeContainer } from './containers.ts'
import { EngineRefusal } from './engine.ts'
import { LINK, startGuard } from './guard.ts'
import type { Host } from './host.ts'
import type { Names } from './names.ts'

export type Knowledge = {
  /** Whether it sees the files of this machine, so that they can be shown to tasks as they are. */
  sharesFiles: boolean
  /** Whether users inside are others outside. */
  mapsUsers: boolean
  missing: MissingWall[]
  /** What an operator should know, without which it goes as well. */
  notes: string[]
}

type Info = {
  MemoryLimit?: boolean
  CpuCfsQuota?: boolean
  PidsLimit?: boolean
  SecurityOptions?: string[]
}

/** @throws Error where no server can be placed there */
export async function findOut(
  host: Host,
  { names, image, dataDir, policy }: { names: Names; image: string; dataDir: string; policy: NetworkPolicy },
): Promise<Knowledge> {
  const { body } = await host.engine.call('GET', '/info')
  const { MemoryLimit, CpuCfsQuota, PidsLimit, SecurityOptions = [] } = body as Info
  const { status } = await host.engine.call('GET', `/images/${image}/json`, { accepts: [404] })
  if (status === 404)
    throw new Error(`${host.name} has no image ${image}: npm run image:supervisor -- --engine ${host.url}`)
  const has = (option: string) => SecurityOptions.some((text) => text.includes(`name=${option}`))
  const missing: MissingWall[] = []
  const limits = { memory: MemoryLimit, processor: CpuCfsQuota, processes: PidsLimit }
  const unlimited = Object.entries(limits).flatMap(([what, can]) => (can === true ? [] : what))
  if (unlimited.length > 0)
    missing.push({ wall: 'memory', why: `the engine of ${host.name} limits no ${unlimited.join(', ')}` })
  const networkFault = await findNetworkFault(host, names, image, policy)
  if (networkFault !== undefined) missing.push({ wall: 'network', why: `${host.name}: ${networkFault}` })
  missing.push({
    wall: 'disk',
    why: `${host.name}: an engine's volumes have no quota that grows with a plan; a game that is over its plan is stopped within a minute, and no file of its is larger than it`,
  })
  const notes = [
    ...(has('seccomp') ? [] : [`${host.name}: the engine refuses no system calls (no seccomp)`]),
    ...(host.refused.length > 0
      ? []
      : [`${host.name}: servers reach what listens on public addresses of that machine; name those to be refused`]),
    ...(isPublic(host.address)
      ? [`${host.name}: ports of supervisors are open on ${host.address}, which is public, and without TLS`]
      : []),
  ]
  return {
    sharesFiles: host.engine.isUnix && (await seesOurFiles(host, names, image, dataDir)),
    mapsUsers: has('userns') || has('rootless'),
    missing,
    notes,
  }
}

async function findNetworkFault(host: Host, names: Names, image: string, policy: NetworkPolicy) {
  const container = `wakestone-trial-${randomBytes(4).toString('hex')}`
  const rules = ([port = 0]: number[]) =>
    insideRules(policy, { link: LINK, port, redirect: true, control: port, refused: host.refused })
  try {
    await startGuard(host, names, { container, image, labels: {}, wanted: [['tcp']], rules, dns: policy.resolvers })
    return undefined
  } catch (error) {
    return (error as Error).message
  } finally {
    await host.remove(container)
  }
}

async function seesOurFiles(host: Host, names: Names, image: string, dataDir: string): Promise<boolean> {
  const word = randomBytes(8).toString('hex')
  const folder = join(dataDir, 'cache', `shown-${word}`)
  const container = `wakestone-trial-${word}`
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'word'), `${word}\n`)
  try {
    await host.create(
      container,
      describeContainer({
        image,
        labels: names.labels('box'),
        env: {},
        command: ['/bin/cat', '/mnt/word'],
        network: 'none',
        capabilities: [],
        memoryBytes: 32 * 1024 ** 2,
        mounts: [{ kind: 'bind', source: folder, target: '/mnt', write: false }],
      }),
    )
    await host.start(container)
    await host.waitFor(container, 20_000)
    return (await host.logsOf(container)).includes(word)
  } catch (error) {
    if (error instanceof EngineRefusal) return false // it has no such folder
    throw error
  } finally {
    await host.remove(container)
    rmSync(folder, { recursive: true, force: true })
  }
}

const own = new BlockList()
for (const [range, bits] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['100.64.0.0', 10],
] as const)
  own.addSubnet(range, bits)
own.addSubnet('fc00::', 7, 'ipv6')
own.addAddress('::1', 'ipv6')

const isPublic = (address: string) => !own.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
