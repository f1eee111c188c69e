/** Which addresses of the internet a customer may have us call. */
import { BlockList, isIP } from 'node:net'

const notPublic = new BlockList()
const networks4: [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10], // carriers' NAT
  ['127.0.0.0', 8],
  ['169.254.0.0', 16], // link-local, and the metadata of clouds
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3], // multicast, reserved, broadcast
]
for (const [network, prefix] of networks4) notPublic.addSubnet(network, prefix, 'ipv4')

/** Of IPv6 only what is handed out, without what carries another address in it or is for documents. */
const public6 = new BlockList()
public6.addSubnet('2000::', 3, 'ipv6')
const notPublic6 = new BlockList()
for (const [network, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  notPublic6.addSubnet(network, prefix, 'ipv6')

export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !notPublic.check(address, 'ipv4')
    case 6:
      return public6.check(address, 'ipv6') && !notPublic6.check(address, 'ipv6')
    default:
      return false
  }
}
