/** The records that lead players to a server by its names. */
import type { AddressTarget } from '@wakestone/contract/servers/addresses'
import { srvRecord } from '@wakestone/contract/servers/addresses'
import type { Settings } from '@wakestone/kit/settings'
import type { RecordSet } from '#src/adapters/dns/power-dns.ts'

export type RecordSettings = Pick<Settings, 'PDNS_URL' | 'DNS_IPV4' | 'DNS_IPV6' | 'GAME_PORT'>

/** Where games of Java Edition ask for the port. */
export const serviceName = (fqdn: string) => `_minecraft._tcp.${fqdn}`
/** Where the owner of a domain proves to be that. */
export const proofName = (fqdn: string) => `_wakestone.${fqdn}`
export const proofText = (proof: string) => `wakestone-proof=${proof}`

const srvContent = (port: number, target: string) => `${srvRecord.priority} ${srvRecord.weight} ${port} ${target}`

/**
 * All that a name of our zone is to have in PowerDNS, with nothing for what it must not have.
 * @param game undefined: the name is nobody's, and leads nowhere
 */
export function recordSetsOf(
  fqdn: string,
  game: 'java' | 'bedrock' | undefined,
  { DNS_IPV4, DNS_IPV6, GAME_PORT }: RecordSettings,
): RecordSet[] {
  const { ttl } = srvRecord
  const isThere = game !== undefined
  return [
    { name: fqdn, type: 'A', ttl, contents: isThere ? DNS_IPV4 : [] },
    { name: fqdn, type: 'AAAA', ttl, contents: isThere ? DNS_IPV6 : [] },
    {
      name: serviceName(fqdn),
      type: 'SRV',
      ttl,
      contents: game === 'java' ? [srvContent(GAME_PORT, `${fqdn}.`)] : [],
    },
  ]
}

/** Whether a zone has a set as it is to be. PowerDNS gives back addresses of IPv6 as it likes to write them. */
export function isAsWanted({ contents, ttl }: RecordSet, found: RecordSet | undefined): boolean {
  if (contents.length === 0) return found === undefined || found.contents.length === 0
  const plain = (list: readonly string[]) => list.map(inOneSpelling).sort().join('\n')
  return found !== undefined && found.ttl === ttl && plain(contents) === plain(found.contents)
}

function inOneSpelling(content: string): string {
  const isAddress = content.includes(':') && !content.includes(' ')
  return isAddress ? new URL(`http://[${content}]/`).hostname : content.toLowerCase()
}

/** The records of a name of ours, as people are shown them. */
export function targetsOf(fqdn: string, game: 'java' | 'bedrock', settings: RecordSettings): AddressTarget[] {
  const mode = settings.PDNS_URL === undefined ? 'wildcard' : 'managed'
  if (mode === 'wildcard') return []
  return recordSetsOf(fqdn, game, settings).flatMap(({ name, type, contents }) =>
    contents.map((content) => ({
      app: 'minecraft' as const,
      record_name: name,
      record_type: type,
      dns_content: content,
      mode,
    })),
  )
}

/**
 * What the owner of a domain sets: the proof, and what leads to us. Names directly below a registry cannot have a CNAME
 * beside their other records.
 * @param through a name of ours of the same server
 */
export function ownTargetsOf(
  { fqdn, proof, through }: { fqdn: string; proof: string; through: string },
  game: 'java' | 'bedrock',
  { DNS_IPV4, DNS_IPV6, GAME_PORT }: RecordSettings,
): AddressTarget[] {
  const own = { app: 'minecraft', mode: 'own' } as const
  const isApex = fqdn.split('.').length === 2 && DNS_IPV4.length + DNS_IPV6.length > 0
  const leading: AddressTarget[] = isApex
    ? [
        ...DNS_IPV4.map((address) => ({ ...own, record_name: fqdn, record_type: 'A' as const, dns_content: address })),
        ...DNS_IPV6.map((address) => ({
          ...own,
          record_name: fqdn,
          record_type: 'AAAA' as const,
          dns_content: address,
        })),
      ]
    : [{ ...own, record_name: fqdn, record_type: 'CNAME', dns_content: `${through}.` }]
  return [
    {
      app: 'proof',
      mode: 'own',
      record_name: proofName(fqdn),
      record_type: 'TXT',
      dns_content: proofText(proof),
    },
    ...leading,
    ...(game === 'java'
      ? [
          {
            ...own,
            record_name: serviceName(fqdn),
            record_type: 'SRV' as const,
            dns_content: srvContent(GAME_PORT, `${through}.`),
          },
        ]
      : []),
  ]
}
