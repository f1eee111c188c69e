/** The kinds of objects that the simulated API knows, each checked by the schema that Kubernetes publishes of it. */
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy'
import { Role } from 'kubernetes-models/rbac.authorization.k8s.io/v1/Role'
import { RoleBinding } from 'kubernetes-models/rbac.authorization.k8s.io/v1/RoleBinding'
import { StorageClass } from 'kubernetes-models/storage.k8s.io/v1/StorageClass'
import { StatefulSet } from 'kubernetes-models/apps/v1/StatefulSet'
import { Job } from 'kubernetes-models/batch/v1/Job'
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap'
import { LimitRange } from 'kubernetes-models/v1/LimitRange'
import { Namespace } from 'kubernetes-models/v1/Namespace'
import { Node } from 'kubernetes-models/v1/Node'
import { PersistentVolumeClaim } from 'kubernetes-models/v1/PersistentVolumeClaim'
import { Pod } from 'kubernetes-models/v1/Pod'
import { ResourceQuota } from 'kubernetes-models/v1/ResourceQuota'
import { Service } from 'kubernetes-models/v1/Service'
import { ServiceAccount } from 'kubernetes-models/v1/ServiceAccount'

type Model = new (object: never) => { validate(): void }
export type Kind = { group: string; version: string; plural: string; kind: string; namespaced: boolean; model: Model }

const of = (group: string, plural: string, kind: string, model: unknown, namespaced = true): Kind => ({
  group,
  version: 'v1',
  plural,
  kind,
  namespaced,
  model: model as Model,
})
export const kinds: readonly Kind[] = [
  of('', 'pods', 'Pod', Pod),
  of('', 'services', 'Service', Service),
  of('', 'configmaps', 'ConfigMap', ConfigMap),
  of('', 'persistentvolumeclaims', 'PersistentVolumeClaim', PersistentVolumeClaim),
  of('', 'resourcequotas', 'ResourceQuota', ResourceQuota),
  of('', 'limitranges', 'LimitRange', LimitRange),
  of('', 'serviceaccounts', 'ServiceAccount', ServiceAccount),
  of('', 'nodes', 'Node', Node, false),
  of('', 'namespaces', 'Namespace', Namespace, false),
  of('apps', 'statefulsets', 'StatefulSet', StatefulSet),
  of('batch', 'jobs', 'Job', Job),
  of('networking.k8s.io', 'networkpolicies', 'NetworkPolicy', NetworkPolicy),
  of('rbac.authorization.k8s.io', 'roles', 'Role', Role),
  of('rbac.authorization.k8s.io', 'rolebindings', 'RoleBinding', RoleBinding),
  of('storage.k8s.io', 'storageclasses', 'StorageClass', StorageClass, false),
]
export const apiVersionOf = ({ group, version }: Kind) => (group === '' ? version : `${group}/${version}`)

export type KubeObject = {
  apiVersion?: string
  kind?: string
  metadata: {
    name: string
    namespace?: string
    generateName?: string
    uid?: string
    resourceVersion?: string
    generation?: number
    creationTimestamp?: string
    deletionTimestamp?: string
    deletionGracePeriodSeconds?: number
    labels?: Record<string, string>
    annotations?: Record<string, string>
    finalizers?: string[]
    ownerReferences?: { apiVersion: string; kind: string; name: string; uid: string; controller?: boolean }[]
  }
  spec?: any
  status?: any
  data?: any
  rules?: any
  subjects?: any
  roleRef?: any
  allowVolumeExpansion?: boolean
  [more: string]: unknown
}

/** What the schema says against it; undefined where nothing does. */
export function findFault({ model }: Kind, object: KubeObject): string | undefined {
  try {
    new model(object as never).validate()
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

/** The same for any kind that Kubernetes has itself, by the schema of its version. */
export async function findSchemaFault(object: KubeObject): Promise<string | undefined> {
  const path = `kubernetes-models/${object.apiVersion}/${object.kind}`
  const found = (await import(path).catch(() => ({}))) as Record<string, Model | undefined>
  const model = found[object.kind ?? '']
  if (model === undefined) return `${object.apiVersion} has no kind ${object.kind}`
  try {
    new model(object as never).validate()
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}
