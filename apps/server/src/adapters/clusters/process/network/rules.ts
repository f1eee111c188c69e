/** The packet filter's rules around a server's network, as `nft` reads them. */
import { networkInterfaces } from 'node:os'
import { GAME_PORTS } from '@wakestone/bedrock/joining'
import { privateResolvers, type NetworkPolicy } from './policy.ts'
import { familyOf, refusedRanges, SERVERS_RANGE, SERVERS_RANGE_6 } from './ranges.ts'

/** A refused attempt is told at once, since programs may wait a second for a message of ICMP. */
const REJECT = ['meta l4proto tcp reject with tcp reset', 'reject with icmpx type admin-prohibited']
/** Mail is sent through servers of one's own nowhere but from machines that send what nobody wants. */
const MAIL_PORT = 25

const families = ['ip', 'ip6'] as const

/** Rules that decide about a packet of a server: what is let through, then what is refused; the rest goes on. */
function decide(policy: NetworkPolicy, match: string): string[] {
  const rules: string[] = []
  for (const family of families) {
    const let_ = policy.reachable.filter((range) => familyOf(range) === family)
    const dns = privateResolvers(policy).filter((range) => familyOf(range) === family)
    if (dns.length > 0)
      rules.push(`${match} ${family} daddr { ${dns.join(', ')} } meta l4proto { tcp, udp } th dport 53 accept`)
    if (let_.length > 0) rules.push(`${match} ${family} daddr { ${let_.join(', ')} } accept`)
  }
  if (!policy.internet) return [...rules, ...REJECT.map((verdict) => `${match} ${verdict}`)]
  for (const family of families)
    rules.push(...REJECT.map((verdict) => `${match} ${family} daddr @refused_${family} ${verdict}`))
  rules.push(`${match} tcp dport ${MAIL_PORT} reject with tcp reset`)
  return rules
}

function refusedSets(more: string[]): string[] {
  return families.flatMap((family) => {
    const ranges = [...refusedRanges[family], ...more.filter((address) => familyOf(address) === family)]
    const type = family === 'ip' ? 'ipv4_addr' : 'ipv6_addr'
    return [`set refused_${family} { type ${type}; flags interval; auto-merge; elements = { ${ranges.join(', ')} }; }`]
  })
}

/** Addresses of this machine, public ones too: behind them is what the machine serves to itself. */
const ownAddresses = () =>
  Object.values(networkInterfaces())
    .flat()
    .map((found) => found?.address ?? '')
    .filter((address) => familyOf(address) !== undefined)

type InsideNetwork = {
  /** Its way out. */
  link: string
  /** The game's. */
  port: number
  /** Whether what comes for the game is led to its own loopback address. */
  redirect: boolean
  /** Where its supervisor is spoken to, if not by a socket. */
  control?: number
  /** Addresses beside those that are nobody's business; those of this machine where they are missing. */
  refused?: string[]
}

/** Rules inside of a server's network, whose owner is not in it. */
export function insideRules(
  policy: NetworkPolicy,
  { link, port, redirect, control, refused = ownAddresses() }: InsideNetwork,
): string {
  const { extraPorts } = policy
  const taken = extraPorts === undefined ? '' : `, ${extraPorts.first}-${extraPorts.last}`
  const game = `iifname "${link}" meta l4proto { tcp, udp } th dport { ${port}${taken} }`
  return lay('guard', [
    ...refusedSets(refused),
    chain('out', 'type filter hook output priority filter; policy accept;', [
      'oifname "lo" accept',
      'ct state established,related accept',
      'icmpv6 type { nd-neighbor-solicit, nd-neighbor-advert, nd-router-solicit } accept',
      ...decide(policy, ''),
    ]),
    chain('in', 'type filter hook input priority filter; policy drop;', [
      'iifname "lo" accept',
      'ct state established,related accept',
      'icmpv6 type { nd-neighbor-solicit, nd-neighbor-advert, nd-router-advert } accept',
      `${game} accept`,
      ...(control === undefined ? [] : [`iifname "${link}" tcp dport ${control} accept`]),
      // Where Bedrock players come in who agreed with the game by HTTP; only our machine gets so far.
      `iifname "${link}" udp dport ${GAME_PORTS.first}-${GAME_PORTS.last} accept`,
    ]),
    ...(redirect ? [chain('lead', 'type nat hook prerouting priority dstnat;', leading(game))] : []),
  ])
}

/** Rules inside of a network in which nothing but a service of ours is asked, and which nothing leaves by itself. */
export const serviceRules = (link: string, port: number): string =>
  lay('guard', [
    chain('out', 'type filter hook output priority filter; policy drop;', [
      'oifname "lo" accept',
      'ct state established,related accept',
    ]),
    chain('in', 'type filter hook input priority filter; policy drop;', [
      'iifname "lo" accept',
      'ct state established,related accept',
      `iifname "${link}" tcp dport ${port} accept`,
    ]),
  ])

/**
 * To games that listen on their own loopback address; one that listens on all is found without, and answers to
 * datagrams from the address that it was asked at.
 */
const leading = (game: string) =>
  ['socket wildcard 1 accept', 'dnat ip to 127.0.0.1'].map((rule) => `meta nfproto ipv4 ${game} ${rule}`)

/**
 * Rules of the machine for the links of all its servers. What the table knows of links and of ways out stays when it
 * is laid again.
 */
export function hostRules(table: string, policy: NetworkPolicy): string {
  const established = 'ct state established,related accept'
  const chains: [string, string, string[]][] = [
    [
      'toHost',
      'type filter hook input priority -10; policy accept;',
      [`iifname @links ${established}`, ...REJECT.map((verdict) => `iifname @links ${verdict}`)],
    ],
    [
      'through',
      'type filter hook forward priority -10; policy accept;',
      [
        `oifname @links ${established}`,
        ...REJECT.map((verdict) => `oifname @links ${verdict}`),
        `iifname @links ${established}`,
        ...decide(policy, 'iifname @links'),
        'iifname @links accept',
        // This machine led nobody's packets before; what it leads now is its servers', and what others redirect.
        'iifname @uplinks ct state new ct status & dnat != dnat drop',
      ],
    ],
    ['outward', 'type nat hook postrouting priority srcnat;', []],
  ]
  chains[2]![2].push(
    `ip saddr ${SERVERS_RANGE} oifname != @links masquerade`,
    `ip6 saddr ${SERVERS_RANGE_6} oifname != @links masquerade`,
  )
  return [
    `add table inet ${table}`,
    `add set inet ${table} links { type ifname; }`,
    `add set inet ${table} uplinks { type ifname; }`,
    ...families.flatMap((family) => {
      const type = family === 'ip' ? 'ipv4_addr' : 'ipv6_addr'
      const set = `inet ${table} refused_${family}`
      return [
        `add set ${set} { type ${type}; flags interval; auto-merge; }`,
        `flush set ${set}`,
        `add element ${set} { ${refusedRanges[family].join(', ')} }`,
      ]
    }),
    ...chains.flatMap(([name, hook, rules]) => [
      `add chain inet ${table} ${name} { ${hook} }`,
      `flush chain inet ${table} ${name}`,
      ...rules.map((rule) => `add rule inet ${table} ${name} ${rule}`),
    ]),
    '',
  ].join('\n')
}

const chain = (name: string, hook: string, rules: string[]) =>
  `chain ${name} { ${hook}\n${rules.map((rule) => `    ${rule}`).join('\n')}\n  }`
const lay = (table: string, parts: string[]) =>
  `table inet ${table}\ndelete table inet ${table}\ntable inet ${table} {\n  ${parts.join('\n  ')}\n}\n`
