/** How clusters of Kubernetes are spoken to, as it is kept. */
import type { KubernetesBody, ShownKubernetes } from '@wakestone/contract/admin/kubernetes'
import { DomainError } from '@wakestone/contract/errors'
import { keyFor, seal, unseal } from '@wakestone/kit/seal'
import type { Secrets } from '@wakestone/kit/secrets'
import type { KubernetesPlace } from '#src/adapters/clusters/kubernetes/options.ts'
import type { ClusterRow } from './repo.ts'

type Kept = Omit<ShownKubernetes, 'has_kubeconfig'>
type Sealing = { secrets: Pick<Secrets, 'factors'> }

const keyOf = ({ secrets }: Sealing) => keyFor(secrets.factors, 'cluster-kubeconfig')
const keptOf = ({ kubernetes }: Pick<ClusterRow, 'kubernetes'>) => kubernetes as unknown as Kept | null

/** Undefined before an administrator has said it. */
export function openKubernetes(
  deps: Sealing,
  row: Pick<ClusterRow, 'id' | 'kubernetes' | 'host_secrets'>,
): KubernetesPlace | undefined {
  const kept = keptOf(row)
  if (kept === null) return undefined
  const { namespace, image, storage_class: storageClass, reach, address, from } = kept
  const kubeconfig = row.host_secrets === null ? undefined : unseal(keyOf(deps), row.id, row.host_secrets).toString()
  return { namespace, image, storageClass, reach, address, from, ...(kubeconfig !== undefined && { kubeconfig }) }
}

/** Without the kubeconfig: it is never told. */
export function showKubernetes(
  row: Pick<ClusterRow, 'driver' | 'kubernetes' | 'host_secrets'>,
): ShownKubernetes | null {
  const kept = row.driver === 'kubernetes' ? keptOf(row) : null
  return kept && { ...kept, has_kubeconfig: row.host_secrets !== null }
}

/**
 * What is kept: where no kubeconfig is given, the one that is there stays.
 * @throws DomainError `invalid_request` for another driver
 */
export function keepKubernetes(
  deps: Sealing,
  before: Pick<ClusterRow, 'id' | 'driver' | 'host_secrets'>,
  { kubeconfig, ...kept }: KubernetesBody,
): Pick<ClusterRow, 'kubernetes' | 'host_secrets'> {
  if (before.driver !== 'kubernetes') throw new DomainError('invalid_request', { kubernetes: 'invalid' })
  const given = kubeconfig == null ? null : seal(keyOf(deps), before.id, Buffer.from(kubeconfig))
  return {
    kubernetes: JSON.stringify(kept) as never,
    host_secrets: kubeconfig === undefined ? before.host_secrets : given,
  }
}
