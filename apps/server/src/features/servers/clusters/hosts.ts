/** Machines of clusters with container engines, as they are kept. */
import type { ClusterHost, ShownClusterHost } from '@wakestone/contract/admin/clusters'
import { DomainError } from '@wakestone/contract/errors'
import { keyFor, seal, unseal } from '@wakestone/kit/seal'
import type { Secrets } from '@wakestone/kit/secrets'
import type { ClusterRow } from './repo.ts'

type Tls = { ca: string; cert: string; key: string }
type KeptHost = Omit<ShownClusterHost, 'has_tls'>
type Sealing = { secrets: Pick<Secrets, 'factors'> }

const keyOf = ({ secrets }: Sealing) => keyFor(secrets.factors, 'cluster-hosts')
const listOf = (row: Pick<ClusterRow, 'hosts'>) => row.hosts as unknown as KeptHost[]

/** By name of the machine. @throws when the database is not of these secrets */
function openTls(deps: Sealing, { id, host_secrets }: Pick<ClusterRow, 'id' | 'host_secrets'>): Record<string, Tls> {
  if (host_secrets === null) return {}
  return JSON.parse(unseal(keyOf(deps), id, host_secrets).toString()) as Record<string, Tls>
}

type OpenHost = KeptHost & { tls?: Tls }

/** With what they are spoken to. */
export function openHosts(deps: Sealing, row: Pick<ClusterRow, 'id' | 'hosts' | 'host_secrets'>): OpenHost[] {
  const tls = openTls(deps, row)
  return listOf(row).map((host) => ({ ...host, ...(tls[host.name] && { tls: tls[host.name] as Tls }) }))
}

/** Without that: it is never told. */
export function showHosts(deps: Sealing, row: ClusterRow): ShownClusterHost[] | null {
  if (row.driver !== 'docker') return null
  const tls = openTls(deps, row)
  return listOf(row).map((host) => ({ ...host, has_tls: tls[host.name] !== undefined }))
}

/**
 * What is kept of machines: those whose certificates are missing keep what they have.
 * @throws DomainError `invalid_request` where one would be spoken to without
 */
export function keepHosts(
  deps: Sealing,
  before: Pick<ClusterRow, 'id' | 'host_secrets' | 'driver'>,
  hosts: readonly ClusterHost[],
): Pick<ClusterRow, 'hosts' | 'host_secrets'> {
  if (before.driver !== 'docker' && hosts.length > 0) throw new DomainError('invalid_request', { hosts: 'invalid' })
  const known = openTls(deps, before)
  const tls: Record<string, Tls> = {}
  for (const { name, url, ca, cert, key } of hosts) {
    if (!url.startsWith('tcp:')) continue
    const given = { ca, cert, key }
    const isGiven = Object.values(given).some((text) => text !== undefined)
    const missing = Object.entries(given).find(([, text]) => text === undefined)?.[0]
    if (isGiven ? missing !== undefined : known[name] === undefined)
      throw new DomainError('invalid_request', { [missing ?? 'key']: 'required' })
    tls[name] = isGiven ? (given as Tls) : (known[name] as Tls)
  }
  const kept = hosts.map(({ name, url, address, refused }) => ({ name, url, address, refused }))
  const sealed = seal(keyOf(deps), before.id, Buffer.from(JSON.stringify(tls)))
  return {
    hosts: JSON.stringify(kept) as never,
    host_secrets: Object.keys(tls).length === 0 ? null : sealed,
  }
}
