/** Addresses that no server may speak to: whatever is not the internet (IANA's special-purpose registries). */
import { BlockList, isIP } from 'node:net'

/** Where servers' own networks lie: set aside for measuring devices, so nobody's network is there (RFC 2544). */
export const SERVERS_RANGE = '198.18.0.0/15'
/** The same for IPv6: a random one of those that nobody is given (RFC 4193). */
export const SERVERS_RANGE_6 = 'fd57:6b8d:31c4::/48'

export const refusedRanges = {
  ip: [
    '0.0.0.0/8',
    '10.0.0.0/8',
    '100.64.0.0/10',
    '127.0.0.0/8',
    '169.254.0.0/16',
    '172.16.0.0/12',
    '192.0.0.0/24',
    '192.0.2.0/24',
    '192.168.0.0/16',
    SERVERS_RANGE,
    '198.51.100.0/24',
    '203.0.113.0/24',
    '224.0.0.0/4',
    '240.0.0.0/4',
  ],
  // The middle three hold addresses of IPv4.
  ip6: [
    '::/128',
    '::1/128',
    '::ffff:0:0/96',
    '64:ff9b::/96',
    '2002::/16',
    '64:ff9b:1::/48',
    '100::/64',
    '2001:db8::/32',
    '3fff::/20',
    'fc00::/7',
    'fe80::/10',
    'ff00::/8',
  ],
}

const refused = new BlockList()
for (const [family, ranges] of [
  ['ipv4', refusedRanges.ip],
  ['ipv6', refusedRanges.ip6],
] as const) {
  for (const range of ranges) {
    const [address, bits] = range.split('/') as [string, string]
    // To this list every address of IPv4 is one of the mapped range as well.
    if (range !== '::ffff:0:0/96') refused.addSubnet(address, Number(bits), family)
  }
}

export const isRefused = (address: string) => refused.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** `address` or `address/bits` of either family. */
export function familyOf(range: string): 'ip' | 'ip6' | undefined {
  const [address = '', bits, ...rest] = range.split('/')
  const version = isIP(address)
  const most = version === 6 ? 128 : 32
  if (version === 0 || rest.length > 0) return undefined
  if (bits !== undefined && !(/^\d{1,3}$/.test(bits) && Number(bits) <= most)) return undefined
  return version === 6 ? 'ip6' : 'ip'
}
