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
import { SERVERS_RANGE_6 } from './ranges.ts'
import { hostRules, insideRules } from './rules.ts'

const NAMESPACES = '/run/netns'
const [SETTINGS_4, SETTINGS_6] = ['/proc/sys/net/ipv4/conf', '/proc/sys/net/ipv6/conf']
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
    const { link, outer, inner, ...six } = await addLink(name, serverId)
    // Where this machine has no way out by IPv6, games that were offered one would wait for it in vain.
    const uplinks6 = await findUplinks('-6')
    const has6 = uplinks6.length > 0 && existsSync(SETTINGS_6)
    await run('nft', ['add', 'element', 'inet', table, 'links', `{ "${link}" }`])
    // Our end has no address: browsers on this machine break off what they load when one comes or goes.
    const mac = readFileSync(join('/sys/class/net', link, 'address'), 'utf8').trim()
    const here =
      `link set ${link} addrgenmode none\nlink set ${link} up\nroute add ${inner}/32 dev ${link}\n` +
      (has6
        ? `neigh add ${six.inner6} lladdr ${six.innerMac} dev ${link} nud permanent\nroute add ${six.inner6}/128 dev ${link}\n`
        : '')
    const there = `link set ${INNER_LINK} addrgenmode none\naddr add ${inner}/31 dev ${INNER_LINK}\nlink set ${INNER_LINK} up\n`
    const way =
      `neigh add ${outer} lladdr ${mac} dev ${INNER_LINK} nud permanent\nroute add default via ${outer}\n` +
      (has6
        ? `addr add ${six.inner6}/127 dev ${INNER_LINK} nodad\nneigh add ${six.outer6} lladdr ${mac} dev ${INNER_LINK} nud permanent\nroute add ::/0 via ${six.outer6} dev ${INNER_LINK}\n`
        : '')
    const inside = `link set lo up\n${there}${way}`
    const rules = insideRules(policy, { link: INNER_LINK, port, redirect: true })
    const enter = [needProgram('nsenter'), `--net=${join(NAMESPACES, name)}`, '--']
    await Promise.all([
      run('ip', ['-batch', '-'], here),
      run('nsenter', [...enter.slice(1), needProgram('sh'), '-c', layInside, 'sh', inside, rules]),
    ])
    await leadOut(link)
    if (has6) await leadOut6(link, uplinks6)
    return { means: 'veth' as const, host: inner, enter }
  }

  const [ip, nft] = [findProgram('ip'), findProgram('nft')]
  const layInside = `printf %s "$1" | ${ip} -batch - &&
    echo 1 > /proc/sys/net/ipv4/conf/${INNER_LINK}/route_localnet && printf %s "$2" | ${nft} -f -`

  /** Lets packets of the link pass through this machine, and those that come back. */
  async function leadOut(link: string) {
    writeFileSync(join(SETTINGS_4, link, 'forwarding'), '1')
    for (const uplink of await findUplinks('-4')) {
      const file = join(SETTINGS_4, uplink, 'forwarding')
      if (readFileSync(file, 'utf8').trim() === '1') continue
      await guardUplink(uplink)
      writeFileSync(file, '1')
    }
  }

  const guardUplink = (uplink: string) => run('nft', ['add', 'element', 'inet', table, 'uplinks', `{ "${uplink}" }`])

  /**
   * The same for IPv6. Kernels before 6.17 have one switch for the whole machine, with which it takes no routes from its
   * router any more unless it is told to.
   */
  async function leadOut6(link: string, uplinks: string[]) {
    const all = join(SETTINGS_6, 'all/forwarding')
    if (read(all) === '1') return
    const perLink = join(SETTINGS_6, link, 'force_forwarding')
    for (const uplink of uplinks) {
      await guardUplink(uplink)
      if (existsSync(perLink)) writeFileSync(join(SETTINGS_6, uplink, 'force_forwarding'), '1')
      else if (read(join(SETTINGS_6, uplink, 'accept_ra')) === '1')
        writeFileSync(join(SETTINGS_6, uplink, 'accept_ra'), '2')
    }
    writeFileSync(existsSync(perLink) ? perLink : all, '1')
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

const read = (file: string) => readFileSync(file, 'utf8').trim()

/** Links over which this machine reaches the internet. */
async function findUplinks(family: '-4' | '-6'): Promise<string[]> {
  const routes = JSON.parse((await run('ip', [family, '-j', 'route', 'show', 'default'])) || '[]') as { dev?: string }[]
  return [...new Set(routes.flatMap(({ dev }) => dev ?? []))]
}

/** A link whose name nobody on this machine has, and with it a pair of addresses. */
async function addLink(namespace: string, serverId: string) {
  const start = createHash('sha256').update(serverId).digest().readUInt16BE()
  for (let step = 0; step < PAIRS; step++) {
    const index = (start + step) % PAIRS
    const link = `${PREFIX}${index}`
    if (existsSync(join('/sys/class/net', link))) continue
    const innerMac = `02:57:00:00:${byte(index >> 8)}:${byte(index & 255)}`
    const peer = ['name', INNER_LINK, 'address', innerMac, 'netns', namespace]
    try {
      await run('ip', ['link', 'add', link, 'type', 'veth', 'peer', ...peer])
      const pairs = { outer: address(2 * index), inner: address(2 * index + 1) }
      return { link, ...pairs, outer6: address6(2 * index), inner6: address6(2 * index + 1), innerMac }
    } catch (error) {
      if (!/File exists/.test((error as Error).message)) throw error
    }
  }
  throw new Error('no address is free for another server')
}

/** The address with this number in `198.18.0.0/15`. */
const address = (number: number) => `198.${18 + (number >> 16)}.${(number >> 8) & 255}.${number & 255}`

/** The one in `SERVERS_RANGE_6`. */
const address6 = (number: number) =>
  `${SERVERS_RANGE_6.replace(/::.*/, '')}::${number >> 16}:${(number & 0xffff).toString(16)}`
const byte = (value: number) => value.toString(16).padStart(2, '0')

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
