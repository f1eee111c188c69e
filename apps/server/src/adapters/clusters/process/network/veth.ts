/**
 * Networks by a pair of virtual links each, which takes root: one end is in the server's network namespace and has its
 * address, the other one here and has none, with the packet filter's rules around both.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { NetworkDriver } from './network.ts'
import type { NetworkPolicy } from './policy.ts'
import { findProgram, needProgram, run } from './programs.ts'
import { hostRules, insideRules } from './rules.ts'

const NAMESPACES = '/run/netns'
const INNER_LINK = 'eth0'
/** Pairs of addresses in the range that servers have. */
const PAIRS = 65_536
const PREFIX = 'ws'

/** @param dataDir tells servers of several products on one machine apart. */
export function createVethDriver({ dataDir, policy }: { dataDir: string; policy: NetworkPolicy }): NetworkDriver {
  const hash = createHash('sha256').update(dataDir).digest('hex').slice(0, 10)
  const table = `wakestone_${hash}`
  const prefix = `wakestone-${hash}-`
  const nameOf = (serverId: string) => `${prefix}${serverId}`

  /** Removing a namespace takes both ends of its link along. */
  async function remove(serverId: string) {
    const name = nameOf(serverId)
    if (!existsSync(join(NAMESPACES, name))) return
    const link = await findLink(name)
    if (link) await run('nft', ['delete', 'element', 'inet', table, 'links', `{ "${link}" }`]).catch(() => undefined)
    if (link) await run('ip', ['link', 'del', link]).catch(() => undefined)
    await run('ip', ['netns', 'del', name])
  }

  async function prepare(serverId: string, port: number) {
    const name = nameOf(serverId)
    await remove(serverId)
    await run('nft', ['-f', '-'], hostRules(table, policy))
    await run('ip', ['netns', 'add', name])
    const { link, outer, inner } = await addLink(name, serverId)
    await run('nft', ['add', 'element', 'inet', table, 'links', `{ "${link}" }`])
    // Our end has no address: browsers on this machine break off what they load when one comes or goes.
    const mac = readFileSync(join('/sys/class/net', link, 'address'), 'utf8').trim()
    const here = `link set ${link} addrgenmode none\nlink set ${link} up\nroute add ${inner}/32 dev ${link}\n`
    const there = `link set ${INNER_LINK} addrgenmode none\naddr add ${inner}/31 dev ${INNER_LINK}\nlink set ${INNER_LINK} up\n`
    const way = `neigh add ${outer} lladdr ${mac} dev ${INNER_LINK} nud permanent\nroute add default via ${outer}\n`
    const inside = `link set lo up\n${there}${way}`
    const rules = insideRules(policy, { link: INNER_LINK, port, redirect: true })
    const enter = [needProgram('nsenter'), `--net=${join(NAMESPACES, name)}`, '--']
    await Promise.all([
      run('ip', ['-batch', '-'], here),
      run('nsenter', [...enter.slice(1), needProgram('sh'), '-c', layInside, 'sh', inside, rules]),
    ])
    await leadOut(link)
    return { means: 'veth' as const, host: inner, enter }
  }

  const [ip, nft] = [findProgram('ip'), findProgram('nft')]
  const layInside = `printf %s "$1" | ${ip} -batch - &&
    echo 1 > /proc/sys/net/ipv4/conf/${INNER_LINK}/route_localnet && printf %s "$2" | ${nft} -f -`

  /** Lets packets of the link pass through this machine, and those that come back. */
  async function leadOut(link: string) {
    const settings = '/proc/sys/net/ipv4/conf'
    writeFileSync(join(settings, link, 'forwarding'), '1')
    const routes = JSON.parse(await run('ip', ['-j', 'route', 'show', 'default'])) as { dev?: string }[]
    for (const uplink of new Set(routes.flatMap(({ dev }) => dev ?? []))) {
      const file = join(settings, uplink, 'forwarding')
      if (readFileSync(file, 'utf8').trim() === '1') continue
      await run('nft', ['add', 'element', 'inet', table, 'uplinks', `{ "${uplink}" }`])
      writeFileSync(file, '1')
    }
  }

  return {
    means: 'veth',
    prepare,
    remove,
    list: async () =>
      existsSync(NAMESPACES)
        ? readdirSync(NAMESPACES)
            .filter((name) => name.startsWith(prefix))
            .map((name) => name.slice(prefix.length))
        : [],
  }
}

/** A link whose name nobody on this machine has, and with it a pair of addresses. */
async function addLink(namespace: string, serverId: string) {
  const start = createHash('sha256').update(serverId).digest().readUInt16BE()
  for (let step = 0; step < PAIRS; step++) {
    const index = (start + step) % PAIRS
    const link = `${PREFIX}${index}`
    if (existsSync(join('/sys/class/net', link))) continue
    try {
      await run('ip', ['link', 'add', link, 'type', 'veth', 'peer', 'name', INNER_LINK, 'netns', namespace])
      return { link, outer: address(2 * index), inner: address(2 * index + 1) }
    } catch (error) {
      if (!/File exists/.test((error as Error).message)) throw error
    }
  }
  throw new Error('no address is free for another server')
}

/** The address with this number in `198.18.0.0/15`. */
const address = (number: number) => `198.${18 + (number >> 16)}.${(number >> 8) & 255}.${number & 255}`

/** The end on this machine of the link that leads into a namespace. */
async function findLink(namespace: string): Promise<string | undefined> {
  const links = JSON.parse((await run('ip', ['-j', 'link', 'show', 'type', 'veth'])) || '[]') as {
    ifname: string
    link_netnsid?: number
  }[]
  const ids = JSON.parse((await run('ip', ['-j', 'netns', 'list-id'])) || '[]') as { nsid: number; name?: string }[]
  const id = ids.find(({ name }) => name === namespace)?.nsid
  return id === undefined ? undefined : links.find(({ link_netnsid }) => link_netnsid === id)?.ifname
}
