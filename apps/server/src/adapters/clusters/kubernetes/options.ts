/** What a cluster of Kubernetes is made of. */
import type { KubernetesReach } from '@wakestone/contract/admin/kubernetes'
import type { Logger } from '@wakestone/kit/logger'
import type { NetworkPolicy } from '../process/network/policy.ts'
import type { Wall } from '../process/walls.ts'

/** As an administrator says it. */
export type KubernetesPlace = {
  /** YAML; where it is missing, the Pod that this runs in says who it is. */
  kubeconfig?: string | undefined
  namespace: string
  /** That of `npm run image:supervisor`, as nodes pull it. */
  image: string
  /** Null: the cluster's own choice. */
  storageClass: string | null
  reach: KubernetesReach
  /** Of nodes, where servers are reached by those. */
  address: string | null
  /** Networks of gateways and panel; empty: whatever runs in the cluster and is no server. */
  from: string[]
}

export type KubernetesClusterOptions = {
  /** Of the cluster. */
  id: string
  /** Undefined before an administrator has said it: nothing is placed there then. */
  place: KubernetesPlace | undefined
  dataDir: string
  supervisorFile: string
  filesFile: string
  /** Walls that may be missing where a cluster cannot give them. */
  mayMiss: readonly Wall[]
  network: NetworkPolicy
  publicKey: string
  logger: Pick<Logger, 'info' | 'warn' | 'error'>
}
