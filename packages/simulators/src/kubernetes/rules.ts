/** What the API itself refuses or adds, beside schemas: quotas, Pod security, what must not change, protection of claims. */
import { BlockList, isIP } from 'node:net'
import { isDeepStrictEqual } from 'node:util'
import { kinds, type Kind, type KubeObject } from './kinds.ts'
import { Refusal, type Store } from './store.ts'

const kindOf = (plural: string) => kinds.find((one) => one.plural === plural)!
const PROTECTION = 'kubernetes.io/pvc-protection'

/** Changes what is created as the API's own admission does. @throws Refusal */
export function admit(store: Store, kind: Kind, namespace: string | undefined, object: KubeObject): void {
  if (kind.plural === 'pods') {
    const name = store.list(kindOf('namespaces')).find(({ metadata }) => metadata.name === namespace)
    if (name?.metadata.labels?.['pod-security.kubernetes.io/enforce'] === 'restricted') checkRestricted(object)
    object.status = { phase: 'Pending' }
  }
  if (kind.plural === 'persistentvolumeclaims') {
    object.metadata.finalizers = [PROTECTION]
    object.status = { phase: 'Pending' }
  }
  if (kind.plural === 'services' && object.spec.clusterIP !== 'None')
    object.spec.clusterIP = `10.96.${Math.floor(Math.random() * 250)}.${1 + Math.floor(Math.random() * 250)}`
  if (kind.plural === 'networkpolicies') checkBlocks(object)
  checkQuota(store, kind, namespace, object)
}

/** What is left out of a range lies within it, as a real server counts: mapped addresses are of IPv4 to it. */
function checkBlocks({ spec, metadata }: KubeObject): void {
  const peers = [...(spec.egress ?? []), ...(spec.ingress ?? [])].flatMap((rule: any) => [
    ...(rule.to ?? []),
    ...(rule.from ?? []),
  ])
  for (const { ipBlock } of peers)
    for (const except of ipBlock?.except ?? []) {
      const [whole, part] = [ipBlock.cidr, except].map((range: string) => range.split('/') as [string, string])
      const family = isIP(whole![0]) === 6 ? 'ipv6' : 'ipv4'
      const list = new BlockList()
      list.addSubnet(whole![0], Number(whole![1]), family)
      const isWithin =
        isIP(part![0]) === isIP(whole![0]) && list.check(part![0], family) && Number(part![1]) > Number(whole![1])
      if (!isWithin || except.startsWith('::ffff:'))
        throw new Refusal(
          422,
          'Invalid',
          `NetworkPolicy "${metadata.name}" is invalid: ipBlock.except: Invalid value: "${except}": must be a strict subset of cidr`,
        )
    }
}

/** @throws Refusal 422 for what an object has for its whole life */
export function checkChange(store: Store, kind: Kind, before: KubeObject, after: KubeObject): void {
  const invalid = (what: string) =>
    new Refusal(422, 'Invalid', `${kind.kind} "${after.metadata.name}" is invalid: ${what}`)
  if (kind.plural === 'statefulsets') {
    const fixed = ({ spec }: KubeObject) => ({ ...spec, replicas: 0, template: 0, updateStrategy: 0 })
    if (!isDeepStrictEqual(fixed(before), fixed(after)))
      throw invalid(
        `spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'template', and 'updateStrategy' are forbidden`,
      )
  }
  if (
    kind.plural === 'configmaps' &&
    before['immutable'] === true &&
    !isDeepStrictEqual(contentOf(before), contentOf(after))
  )
    throw invalid('data: Forbidden: field is immutable when `immutable` is set')
  if (kind.plural === 'jobs' && !isDeepStrictEqual(before.spec.template, after.spec.template))
    throw invalid('spec.template: Invalid value: field is immutable')
  if (kind.plural === 'persistentvolumeclaims') {
    const size = ({ spec }: KubeObject) => bytesOf(spec.resources?.requests?.storage)
    if (size(after) < size(before))
      throw invalid('spec.resources.requests.storage: Forbidden: field can not be less than previous value')
    const name = (after.spec as { storageClassName?: string }).storageClassName
    const storage = store.list(kindOf('storageclasses')).find(({ metadata }) => metadata.name === name)
    if (size(after) > size(before) && storage?.allowVolumeExpansion !== true)
      throw new Refusal(
        403,
        'Forbidden',
        `persistentvolumeclaims "${after.metadata.name}" is forbidden: only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize`,
      )
  }
}
const contentOf = ({ data, ['binaryData']: binary }: KubeObject) => ({ data, binary })

/** Pod Security Standards, level `restricted`. */
function checkRestricted(pod: KubeObject): void {
  const faults: string[] = []
  const { spec } = pod
  for (const field of ['hostNetwork', 'hostPID', 'hostIPC']) if (spec[field]) faults.push(field)
  const allowed = [
    'configMap',
    'csi',
    'downwardAPI',
    'emptyDir',
    'ephemeral',
    'persistentVolumeClaim',
    'projected',
    'secret',
  ]
  for (const volume of spec.volumes ?? [])
    for (const type of Object.keys(volume))
      if (type !== 'name' && !allowed.includes(type)) faults.push(`volume of type ${type}`)
  for (const one of [...(spec.initContainers ?? []), ...spec.containers]) {
    const security = one.securityContext ?? {}
    if (security.privileged) faults.push(`${one.name}: privileged`)
    if (security.allowPrivilegeEscalation !== false) faults.push(`${one.name}: allowPrivilegeEscalation != false`)
    if (!security.capabilities?.drop?.includes('ALL')) faults.push(`${one.name}: unrestricted capabilities`)
    if ((security.capabilities?.add ?? []).some((name: string) => name !== 'NET_BIND_SERVICE'))
      faults.push(`${one.name}: capabilities`)
    if (!(security.runAsNonRoot ?? spec.securityContext?.runAsNonRoot)) faults.push(`${one.name}: runAsNonRoot != true`)
    if ((security.runAsUser ?? spec.securityContext?.runAsUser) === 0) faults.push(`${one.name}: runAsUser=0`)
    const profile = (security.seccompProfile ?? spec.securityContext?.seccompProfile)?.type
    if (profile !== 'RuntimeDefault' && profile !== 'Localhost') faults.push(`${one.name}: seccompProfile`)
  }
  if (faults.length > 0)
    throw new Refusal(
      403,
      'Forbidden',
      `pods "${pod.metadata.name}" is forbidden: violates PodSecurity "restricted:latest": ${faults.join(', ')}`,
    )
}

function checkQuota(store: Store, kind: Kind, namespace: string | undefined, object: KubeObject): void {
  for (const { spec, metadata } of store.list(kindOf('resourcequotas'), namespace)) {
    for (const [what, hard] of Object.entries((spec.hard ?? {}) as Record<string, string>)) {
      const added = countOf(kind, object, what)
      if (added === 0) continue
      const used = store.list(kind, namespace).reduce((sum, one) => sum + countOf(kind, one, what), 0)
      if (used + added > bytesOf(hard))
        throw new Refusal(
          403,
          'Forbidden',
          `${kind.plural} "${object.metadata.name}" is forbidden: exceeded quota: ${metadata.name}, requested: ${what}=${added}, used: ${what}=${used}, limited: ${what}=${hard}`,
        )
    }
  }
}

function countOf({ plural }: Kind, { spec, status }: KubeObject, what: string): number {
  if (plural === 'pods' && !['Succeeded', 'Failed'].includes(status?.phase)) {
    if (what === 'pods') return 1
    const [how, resource] = what.split('.') as [string, string]
    if (how !== 'requests' && how !== 'limits') return 0
    return spec.containers.reduce((sum: number, one: any) => sum + bytesOf(one.resources?.[how]?.[resource]), 0)
  }
  if (plural === 'persistentvolumeclaims') {
    if (what === 'persistentvolumeclaims') return 1
    if (what === 'requests.storage') return bytesOf(spec.resources?.requests?.storage)
  }
  return 0
}

const units: Record<string, number> = {
  '': 1,
  m: 1e-3,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
}
export function bytesOf(quantity: string | number | undefined): number {
  const [, number = '0', unit = ''] = /^([\d.]+)([A-Za-z]*)$/.exec(String(quantity ?? 0)) ?? []
  return Number(number) * (units[unit] ?? 1)
}
