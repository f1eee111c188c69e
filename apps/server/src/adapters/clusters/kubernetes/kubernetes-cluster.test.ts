/** The objects that the driver makes, what it needs to be granted, and what it does when an API is in its way; no Pod runs. */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger } from '@wakestone/kit/logger'
import { type KubeObject, kubeconfigOf, startKubernetesApi } from '@wakestone/simulators/kubernetes'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { ClusterEvent } from '../cluster.ts'
import { imageName } from '../docker/image.ts'
import { walls } from '../process/walls.ts'
import { ApiRefusal, openApi } from './api.ts'
import { claimSize, ensureClaim, findClaim, growClaim, mebibytes } from './claims.ts'
import { provideCode, removeUnusedCode } from './content.ts'
import { describePolicies, layGround } from './ground.ts'
import { createKubernetesCluster } from './kubernetes-cluster.ts'
import { label, nameThings } from './names.ts'
import type { KubernetesPlace } from './options.ts'
import { findMissing, permissions } from './permissions.ts'
import { readPod } from './pods.ts'
import { endsOf } from './reach.ts'
import { account, gamesNamespace } from './test-support/games-namespace.ts'
import { describeSet, launch } from './workload.ts'

const limits = { memoryBytes: 384 * 1024 ** 2, cpu: 1, diskBytes: 1024 ** 3, players: 10 }
const policy = { internet: true, reachable: ['10.9.0.0/16'], resolvers: [] }
const logger = createLogger({ part: 'test', level: 'silent' })
const names = nameThings({ installation: 'tests', clusterId: 'tests' })
const storage = (name: string, allowVolumeExpansion: boolean): KubeObject => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name },
  provisioner: 'tests',
  allowVolumeExpansion,
})

let folder: string
let kubernetes: Awaited<ReturnType<typeof startKubernetesApi>>
let place: KubernetesPlace
let code: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'wskt-'))
  code = join(folder, 'supervisor.mjs')
  writeFileSync(code, 'process.exit()')
  const objects = [...gamesNamespace(), storage('grows', true), storage('stays', false)]
  kubernetes = await startKubernetesApi({ objects, account })
  const { kubeconfig } = kubernetes
  place = {
    kubeconfig,
    namespace: account.namespace,
    image: imageName,
    storageClass: 'grows',
    reach: 'pods',
    address: null,
    from: [],
  }
})
afterAll(async () => {
  await kubernetes.close()
  rmSync(folder, { recursive: true, force: true })
})

const openOurs = () => openApi(place)
const open = (changes: Partial<KubernetesPlace> = {}) =>
  createKubernetesCluster({
    id: 'tests',
    place: { ...place, ...changes },
    dataDir: folder,
    supervisorFile: code,
    filesFile: code,
    mayMiss: walls,
    network: policy,
    publicKey: 'tests',
    logger,
  })
const ground = async () => ({
  api: await openOurs(),
  names,
  place,
  knowledge: { hasQuota: false, missing: [], notes: [] },
  resolvers: [],
  publicKey: 'tests',
  supervisorFile: code,
})
const find = (plural: string, name: string) => {
  const kind = kubernetes.store.list(kubernetes.kindOf(plural)).find(({ metadata }) => metadata.name === name)
  return kind
}

test('the Role of the manifest grants what the driver needs, and nothing else', async () => {
  expect(await findMissing(await openOurs())).toEqual([])
  const { rules } = gamesNamespace().find(({ kind }) => kind === 'Role') as KubeObject
  const granted = (rules as { apiGroups: string[]; resources: string[]; verbs: string[] }[]).flatMap((rule) =>
    rule.apiGroups.flatMap((group) =>
      rule.resources.flatMap((resource) => rule.verbs.map((verb) => `${group}/${resource} ${verb}`)),
    ),
  )
  const needed = permissions.flatMap(({ group, resource, verbs }) =>
    verbs.map((verb) => `${group}/${resource} ${verb}`),
  )
  expect(granted.toSorted()).toEqual(needed.toSorted())
})

test('says what is not granted, and that nothing can be placed', async () => {
  kubernetes.access.addUser('token-without-rights', 'system:serviceaccount:other:nobody')
  const cluster = open({ kubeconfig: kubeconfigOf({ url: kubernetes.url, token: 'token-without-rights' }) })
  const { ok, problems } = await cluster.check()
  expect(ok).toBe(false)
  expect(problems[0]).toContain('does not grant get statefulsets')
  const wrong = await open({ kubeconfig: kubeconfigOf({ url: kubernetes.url, token: 'none' }) }).check()
  expect(wrong).toMatchObject({ ok: false, problems: [expect.stringContaining('401')] })
  expect(await open({ kubeconfig: 'nonsense: [' }).check()).toMatchObject({ ok: false })
})

test('a server has no right, no token, limits, a user of its own, and a volume that belongs to nothing else', async () => {
  const [one, other] = [randomUUID(), randomUUID()]
  await launch(await ground(), { serverId: one, limits })
  const set = find('statefulsets', names.server(one)) as KubeObject
  const { spec } = set.spec.template
  expect(set.spec).toMatchObject({ replicas: 1, updateStrategy: { type: 'OnDelete' } })
  expect(set.spec.volumeClaimTemplates).toBeUndefined()
  expect(spec).toMatchObject({
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    terminationGracePeriodSeconds: 130,
    securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
  })
  expect(spec.serviceAccountName).toBeUndefined()
  for (const field of ['hostNetwork', 'hostPID', 'hostIPC']) expect(spec[field]).toBeUndefined()
  const [container] = spec.containers
  expect(container).toMatchObject({
    image: imageName,
    resources: { limits: { memory: expect.any(String), cpu: '1000m' }, requests: { memory: expect.any(String) } },
    readinessProbe: { tcpSocket: { port: 8471 } },
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      privileged: false,
      capabilities: { drop: ['ALL'] },
    },
  })
  expect(container.resources.requests.memory).toBe(container.resources.limits.memory)
  const userOf = (serverId: string) =>
    describeSet(
      { names, place, knowledge: { hasQuota: false, missing: [], notes: [] }, resolvers: [], publicKey: 'tests' },
      { serverId, limits },
      'code',
    ).spec?.template.spec?.securityContext?.runAsUser
  expect(userOf(one)).toBe(spec.securityContext.runAsUser)
  expect(userOf(one)).not.toBe(userOf(other))
  const claim = find('persistentvolumeclaims', names.volume(one)) as KubeObject
  expect(claim.metadata.ownerReferences).toBeUndefined()
  expect(mebibytes(claim.spec.resources.requests.storage)).toBeGreaterThan(1024)
  // Again, for another plan: the same objects.
  await launch(await ground(), { serverId: one, limits: { ...limits, memoryBytes: 2 * limits.memoryBytes } })
  const changed = find('statefulsets', names.server(one)) as KubeObject
  expect(changed.metadata.uid).toBe(set.metadata.uid)
  expect(changed.spec.template.spec.containers[0].resources.limits.memory).not.toBe(container.resources.limits.memory)
  await open().remove(one)
  expect(find('statefulsets', names.server(one))).toBeUndefined()
  expect(find('persistentvolumeclaims', names.volume(one))?.metadata.uid).toBe(claim.metadata.uid)
})

test('nobody reaches anybody but as it is named, and what an operator has changed is laid anew', async () => {
  const api = await openOurs()
  await layGround(api, names, place, policy)
  const [all, servers, files, tasks] = describePolicies(names, place, policy)
  expect(all?.spec).toEqual({
    podSelector: { matchLabels: { [label.cluster]: names.mark } },
    policyTypes: ['Ingress', 'Egress'],
  })
  expect(JSON.stringify(servers?.spec?.egress)).toContain('"except":["0.0.0.0/8","10.0.0.0/8"')
  expect(JSON.stringify(servers?.spec?.egress)).toContain('"cidr":"10.9.0.0/16"')
  expect(servers?.spec?.ingress?.[0]?.ports?.map(({ port }) => port)).toEqual([8471, 25564])
  expect(files?.spec?.policyTypes).toEqual(['Ingress'])
  expect(tasks?.spec?.podSelector?.matchLabels).toMatchObject({ 'wakestone.network': 'host' })
  const bounded = describePolicies(
    names,
    { ...place, from: ['10.1.2.3', '10.2.0.0/24'] },
    { ...policy, internet: false },
  )
  expect(bounded[1]?.spec?.ingress?.[0]?._from).toEqual([
    { ipBlock: { cidr: '10.1.2.3/32' } },
    { ipBlock: { cidr: '10.2.0.0/24' } },
  ])
  expect(JSON.stringify(bounded[1]?.spec?.egress)).not.toContain('0.0.0.0/0')
  const kind = kubernetes.kindOf('networkpolicies')
  const name = names.policy('all')
  const laid = kubernetes.store.get(kind, account.namespace, name)
  kubernetes.store.replace(kind, account.namespace, { ...laid, spec: { podSelector: {}, policyTypes: ['Ingress'] } })
  await layGround(api, names, place, policy)
  expect(find('networkpolicies', name)?.spec).toEqual(laid.spec)
})

test('volumes grow where their storage class lets them', async () => {
  const api = await openOurs()
  const [one, other] = [randomUUID(), randomUUID()]
  await ensureClaim(api, names, place, { serverId: one, diskBytes: limits.diskBytes })
  await ensureClaim(api, names, { ...place, storageClass: 'stays' }, { serverId: other, diskBytes: limits.diskBytes })
  const more = 4 * limits.diskBytes
  expect(await growClaim(api, names.volume(one), more)).toBe(true)
  expect((await findClaim(api, names.volume(one)))?.spec?.resources?.requests?.['storage']).toBe(claimSize(more))
  expect(await growClaim(api, names.volume(other), more)).toBe(false)
  expect(await growClaim(api, names.volume(one), limits.diskBytes)).toBe(true) // it stays as large as it is
  expect((await findClaim(api, names.volume(one)))?.spec?.resources?.requests?.['storage']).toBe(claimSize(more))
  expect(await growClaim(api, names.volume(randomUUID()), more)).toBe(false)
})

test('code that nobody has goes, code that somebody has stays', async () => {
  const api = await openOurs()
  const codes = ['a', 'b', 'c'].map((name) => ({ file: join(folder, `${name}.mjs`), name: 'supervisor.mjs' as const }))
  for (const { file } of codes) writeFileSync(file, `// ${file}`)
  const [next, used, left] = codes as [(typeof codes)[number], (typeof codes)[number], (typeof codes)[number]]
  const laid: string[] = []
  for (const one of codes) laid.push(await provideCode(api, names, one))
  expect(await provideCode(api, names, next)).toBe(laid[0])
  expect(new Set(laid).size).toBe(3)
  const serverId = randomUUID()
  await launch({ ...(await ground()), supervisorFile: used.file }, { serverId, limits })
  await removeUnusedCode(api, names, [next])
  expect(laid.map((name) => find('configmaps', name) !== undefined)).toEqual([true, true, false])
  await provideCode(api, names, left)
  await open().remove(serverId)
})

test('a quota, a broken object and a namespace at its level are told in the words of the API', async () => {
  const { api } = await ground()
  const huge = { ...limits, memoryBytes: 2 ** 45 }
  const { core, namespace, ask } = api
  const pod = describeSet(await ground(), { serverId: randomUUID(), limits: huge }, 'code').spec!.template
  const body = { metadata: { ...pod.metadata, name: 'too-large' }, spec: pod.spec! }
  const refusal = await ask(core.createNamespacedPod({ namespace, body })).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(ApiRefusal)
  expect(refusal).toMatchObject({ status: 403, message: expect.stringContaining('exceeded quota') })
  const root = { ...body, spec: { ...body.spec, securityContext: { runAsUser: 0 } } }
  root.spec.containers[0]!.resources = {}
  await expect(ask(core.createNamespacedPod({ namespace, body: root }))).rejects.toMatchObject({
    status: 403,
    message: expect.stringContaining('runAsUser=0'),
  })
  const broken = { ...body, spec: { containers: [{ name: 'a', image: 7 as never }] } }
  await expect(ask(core.createNamespacedPod({ namespace, body: broken }))).rejects.toMatchObject({ status: 422 })
})

test('tells all that is there first, then changes, and all again when the API no longer knows so far back', async () => {
  const cluster = open()
  const serverId = randomUUID()
  const ending = new AbortController()
  const events: ClusterEvent[] = []
  const watching = (async () => {
    for await (const event of cluster.watch(ending.signal)) events.push(event)
  })()
  await vi.waitFor(() => expect(events[0]?.kind).toBe('listed'), 10_000)
  const labels = nameThings({ installation: 'tests', clusterId: 'tests' }).labels('server', {
    [label.server]: serverId,
  })
  const pods = kubernetes.kindOf('pods')
  const pod = kubernetes.store.create(pods, account.namespace, {
    metadata: { name: 'told', labels },
    spec: { containers: [] },
  })
  await vi.waitFor(() => expect(events).toContainEqual({ kind: 'changed', serverId }), 10_000)
  const before = events.length
  // Nobody has heard of what happens meanwhile, and it is forgotten.
  kubernetes.setAway(true)
  kubernetes.store.replace(pods, account.namespace, { ...pod, status: { phase: 'Running' } })
  kubernetes.store.compact()
  expect(await cluster.inspect(serverId)).toMatchObject({ state: 'lost' })
  expect(await cluster.list()).toEqual([])
  kubernetes.setAway(false)
  await vi.waitFor(() => {
    const news = events.slice(before)
    expect(news.some(({ kind }) => kind === 'listed')).toBe(true)
  }, 20_000)
  kubernetes.store.drop(pods, account.namespace, pod)
  await vi.waitFor(() => expect(events.slice(before)).toContainEqual({ kind: 'changed', serverId }), 20_000)
  ending.abort()
  await watching
})

test.each([
  ['services', null, { control: { host: 'CLUSTER', port: 8471 }, game: { host: 'CLUSTER', port: 25564 } }],
  [
    'nodes',
    'node.example',
    { control: { host: 'node.example', port: 30001 }, game: { host: 'node.example', port: 30002 } },
  ],
] as const)('servers are reached by %s where an operator wants that', async (reach, address, wanted) => {
  const api = await openOurs()
  const at = { ...place, reach, address }
  const serverId = randomUUID()
  const name = names.server(serverId)
  await launch({ ...(await ground()), place: at }, { serverId, limits })
  const services = kubernetes.kindOf('services')
  const service = kubernetes.store.get(services, account.namespace, name)
  expect(service.spec).toMatchObject({
    type: reach === 'nodes' ? 'NodePort' : 'ClusterIP',
    publishNotReadyAddresses: true,
  })
  const pod = (find('statefulsets', name) as KubeObject).spec.template.metadata.labels
  expect(pod).toMatchObject(service.spec.selector)
  // What the cluster adds.
  for (const [index, port] of service.spec.ports.entries()) if (reach === 'nodes') port.nodePort = 30_001 + index
  kubernetes.store.replace(services, account.namespace, service)
  const expected = JSON.parse(JSON.stringify(wanted).replaceAll('CLUSTER', service.spec.clusterIP)) as object
  expect(await endsOf(api, at, { name, address: '10.1.1.1' })).toEqual(expected)
  expect(await endsOf(api, at, { name: names.server(randomUUID()), address: '10.1.1.1' })).toBeUndefined()
  await open({ reach, address }).remove(serverId)
  expect(find('services', name)).toBeUndefined()
})

test('nothing is placed while nobody has said where', async () => {
  const cluster = createKubernetesCluster({
    id: 'tests',
    place: undefined,
    dataDir: folder,
    supervisorFile: code,
    filesFile: code,
    mayMiss: walls,
    network: policy,
    publicKey: 'tests',
    logger,
  })
  const serverId = randomUUID()
  expect(await cluster.check()).toMatchObject({ ok: false, problems: [expect.stringContaining('nobody has said')] })
  expect(await cluster.inspect(serverId)).toEqual({ state: 'absent' })
  expect(await cluster.list()).toEqual([])
  await expect(cluster.place({ serverId, limits })).rejects.toThrow('nobody has said')
  await cluster.stopAll({ timeoutSeconds: 1 })
})

test('reads a Pod: begun, up, ended, and on a machine that nobody hears of', () => {
  const read = (status: object, metadata: object = {}) =>
    readPod({ metadata, spec: { nodeName: 'one', containers: [] }, status } as never, 'main')
  const up = { name: 'main', ready: true, restartCount: 0, image: '', imageID: '', state: { running: {} } }
  const ready = (is: string) => [{ type: 'Ready', status: is }]
  expect(
    read({
      phase: 'Pending',
      containerStatuses: [{ ...up, ready: false, state: { waiting: { reason: 'ErrImagePull' } } }],
    }),
  ).toMatchObject({ state: 'pending', why: 'ErrImagePull' })
  expect(read({ phase: 'Running', podIP: '10.1.1.1', containerStatuses: [up], conditions: ready('True') })).toEqual({
    state: 'running',
    address: '10.1.1.1',
  })
  // It is up and does not answer its probe yet.
  expect(
    read({
      phase: 'Running',
      podIP: '10.1.1.1',
      containerStatuses: [{ ...up, ready: false }],
      conditions: ready('False'),
    }),
  ).toMatchObject({ state: 'running' })
  expect(read({ phase: 'Running', podIP: '10.1.1.1', containerStatuses: [up], conditions: ready('False') })).toEqual({
    state: 'lost',
    node: 'one',
  })
  const leaving = (ago: number) => ({ deletionTimestamp: new Date(Date.now() - ago) })
  expect(
    read({ phase: 'Running', podIP: '10.1.1.1', containerStatuses: [up], conditions: ready('True') }, leaving(-1000)),
  ).toMatchObject({ state: 'running' })
  expect(
    read({ phase: 'Running', podIP: '10.1.1.1', containerStatuses: [up], conditions: ready('True') }, leaving(60_000)),
  ).toMatchObject({ state: 'lost' })
  const again = { ...up, restartCount: 1, lastState: { terminated: { exitCode: 137, reason: 'OOMKilled' } } }
  expect(read({ phase: 'Running', podIP: '10.1.1.1', containerStatuses: [again] })).toEqual({
    state: 'ended',
    code: 137,
    outOfMemory: true,
  })
  expect(read({ phase: 'Failed', reason: 'Evicted' })).toEqual({ state: 'ended', code: null, outOfMemory: false })
})
