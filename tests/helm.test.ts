/** The chart: what it makes of several values is valid, keeps to our policies, and grants what the driver of clusters needs. */
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findSchemaFault, type KubeObject } from '@wakestone/simulators/kubernetes'
import { afterAll, describe, expect, test } from 'vitest'
import {
  gamesNamespace,
  readObjects,
} from '../apps/server/src/adapters/clusters/kubernetes/test-support/games-namespace.ts'

const root = join(import.meta.dirname, '..')
const helm = join(root, '.cache/helm/helm/helm')
const chart = join(root, 'deploy/helm/wakestone')
const isThere = existsSync(helm)
if (!isThere) console.error('the chart is not tried here: set-up could not fetch Helm (npm test does)')

const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'wsh-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const env = { ...process.env, HELM_CACHE_HOME: folder, HELM_CONFIG_HOME: folder, HELM_DATA_HOME: folder }

function withValues(values: object): string[] {
  const file = join(folder, `${Math.random().toString(36).slice(2)}.yaml`)
  writeFileSync(file, JSON.stringify(values))
  return ['--values', file]
}
const rendered = new Map<string, Promise<KubeObject[]>>()
/** Each once. */
function render(values: object): Promise<KubeObject[]> {
  const key = JSON.stringify(values)
  const known = rendered.get(key) ?? renderAnew(values)
  rendered.set(key, known)
  return known
}
async function renderAnew(values: object): Promise<KubeObject[]> {
  const args = ['template', 'ours', chart, '--namespace', 'site', '--kube-version', '1.31.0', ...withValues(values)]
  const { stdout } = await run(helm, args, { env, maxBuffer: 16 * 1024 ** 2 })
  return readObjects(stdout)
}

const own = { 'a.example/b': 'c' }
const everything = {
  image: { repository: 'registry.example/wakestone', tag: '1.2.3', pullPolicy: 'Always' },
  imagePullSecrets: [{ name: 'registry' }],
  storage: { size: '2Ti', storageClass: 'fast' },
  service: { type: 'LoadBalancer', annotations: own, port: 8080 },
  players: { type: 'NodePort', annotations: own },
  ingress: {
    enabled: true,
    className: 'nginx',
    annotations: own,
    hosts: ['play.example', 'a.example'],
    tls: [{ hosts: ['play.example'], secretName: 'tls' }],
  },
  games: { enabled: true, namespace: 'players' },
  networkPolicy: { enabled: true, metricsFrom: [], privateEgress: ['10.0.0.0/8', '192.168.1.0/24'] },
  monitoring: { serviceMonitor: true, rules: true },
  backup: { enabled: true, repository: 's3:https://storage.example/backups' },
  nodeSelector: { disk: 'fast' },
  tolerations: [{ key: 'games', operator: 'Exists' }],
  affinity: { nodeAffinity: {} },
}
const cases: [string, object][] = [
  ['the values as they are', {}],
  ['everything that can be turned on', everything],
  ['servers in a namespace that is there already', { games: { enabled: true, createNamespace: false } }],
  [
    'as little as can be',
    {
      sandbox: { tun: false, seccompProfile: 'RuntimeDefault', appArmorProfile: 'RuntimeDefault' },
      storage: { existingClaim: 'mine' },
      podDisruptionBudget: { enabled: false },
      networkPolicy: { enabled: false },
    },
  ],
]
/** Kinds that others bring, of which no schema is published with Kubernetes. */
const foreign = 'monitoring.coreos.com/'
const podsOf = (objects: KubeObject[]) =>
  objects.flatMap((object) => {
    const template = object.kind === 'CronJob' ? object.spec.jobTemplate.spec.template : object.spec?.template
    return template === undefined
      ? []
      : [{ name: `${object.kind} ${object.metadata.name}`, labels: template.metadata.labels, spec: template.spec }]
  })

describe.skipIf(!isThere)('the chart', () => {
  test.each(cases)('of %s passes all schemas', async (_name, values) => {
    const objects = await render(values)
    expect(objects.length).toBeGreaterThan(3)
    for (const object of objects) {
      const fault = object.apiVersion?.startsWith(foreign) ? undefined : await findSchemaFault(object)
      expect(fault, `${object.kind} ${object.metadata.name}`).toBeUndefined()
    }
  })

  test('passes the lint of Helm', async () => {
    const { stdout } = await run(helm, ['lint', '--strict', chart, ...withValues(everything)], { env })
    expect(stdout).toContain('0 chart(s) failed')
  })

  test.each(cases)('of %s keeps to our policies', async (_name, values) => {
    const objects = await render(values)
    const pods = podsOf(objects)
    expect(pods.length).toBeGreaterThan(0)
    for (const { name, spec, labels } of pods) {
      expect(spec.securityContext, name).toMatchObject({ runAsNonRoot: true, runAsUser: 10001 })
      expect(spec.automountServiceAccountToken, name).toBe(false)
      for (const field of ['hostNetwork', 'hostPID', 'hostIPC']) expect(spec[field], name).toBeUndefined()
      const paths = spec.volumes.flatMap((volume: any) => volume.hostPath?.path ?? [])
      expect(['', '/dev/net/tun'], name).toContain(paths.join())
      for (const one of [...(spec.initContainers ?? []), ...spec.containers]) {
        const what = `${name}: ${one.name}`
        expect(one.securityContext, what).toMatchObject({
          allowPrivilegeEscalation: false,
          capabilities: { drop: ['ALL'] },
        })
        expect(one.securityContext.capabilities.add, what).toBeUndefined()
        expect(one.securityContext.privileged, what).toBeUndefined()
        expect(one.securityContext.seccompProfile.type, what).toBeOneOf(['RuntimeDefault', 'Unconfined'])
        expect(one.resources.limits.memory, what).toBeTruthy()
        expect(one.resources.requests.memory, what).toBeTruthy()
        expect(one.env, what).toBeUndefined() // settings are by ConfigMap, secrets by Secret
        expect(one.image, what).not.toMatch(/:latest$|^[^:]*$/)
      }
      // Backups go through the same rules as the rest, or through none where an operator wants none.
      const policies = objects.filter(
        (object) => object.kind === 'NetworkPolicy' && object.metadata.namespace === undefined,
      )
      const isSelected = policies.some(({ spec: { podSelector } }) =>
        Object.entries(podSelector.matchLabels ?? {}).every(([key, value]) => labels[key] === value),
      )
      if ((values as { networkPolicy?: { enabled: boolean } }).networkPolicy?.enabled !== false)
        expect(isSelected, name).toBe(true)
    }
    expect(objects.filter(({ kind }) => kind?.startsWith('ClusterRole'))).toEqual([])
    expect(objects.filter(({ kind }) => kind === 'Secret')).toEqual([])
    for (const { data, kind, metadata } of objects)
      if (kind === 'ConfigMap' && metadata.name === 'ours-settings')
        for (const [key, value] of Object.entries(data as Record<string, string>)) {
          expect(key).not.toMatch(/PASSWORD|SECRET|TOKEN|_KEY|DATABASE_URL|MAIL_URL/)
          expect(value).toBeTypeOf('string')
        }
  })

  test('servers get a namespace with the rights of the manifest, for the account of the release alone', async () => {
    const objects = await render({ games: { enabled: true } })
    const [role, ...others] = objects.filter(({ kind }) => kind === 'Role')
    expect(others).toEqual([])
    expect(role?.metadata).toMatchObject({ namespace: 'wakestone-games' })
    const manifest = gamesNamespace()
    const find = (kind: string) => manifest.find((object) => object.kind === kind)
    expect(role?.rules).toEqual(find('Role')?.rules)
    for (const { resources, verbs, apiGroups } of role?.rules ?? []) {
      expect([...resources, ...verbs, ...apiGroups]).not.toContain('*')
      expect(resources).not.toContain('secrets')
    }
    const binding = objects.find(({ kind }) => kind === 'RoleBinding')
    expect(binding?.subjects).toEqual([{ kind: 'ServiceAccount', name: 'ours', namespace: 'site' }])
    expect(binding?.roleRef).toMatchObject({ kind: 'Role', name: 'ours' })
    for (const kind of ['ResourceQuota', 'LimitRange', 'NetworkPolicy'])
      expect(
        objects.find((object) => object.kind === kind && object.metadata.namespace === 'wakestone-games')?.spec,
      ).toEqual(find(kind)?.spec)
    const namespace = objects.find(({ kind }) => kind === 'Namespace')
    expect(namespace?.metadata.labels).toMatchObject({ 'pod-security.kubernetes.io/enforce': 'restricted' })
    expect(namespace?.metadata.annotations).toMatchObject({ 'helm.sh/resource-policy': 'keep' })

    const [pod] = podsOf(objects)
    const withToken = [...pod!.spec.initContainers, ...pod!.spec.containers].filter((one: any) =>
      one.volumeMounts.some(({ name }: any) => name === 'token'),
    )
    expect(withToken.map(({ name }: any) => name)).toEqual(['worker', 'api'])
    const without = await render({})
    expect(
      without.filter(({ kind }) => ['Role', 'RoleBinding', 'Namespace', 'ServiceAccount'].includes(kind ?? '')),
    ).toEqual([])
    expect(JSON.stringify(without)).not.toContain('serviceAccountToken')
  })

  test.each([
    ['a secret among settings', { settings: { DATABASE_URL: 'postgres://a:b@c/d' } }],
    ['a value that is not known', { pictures: true }],
    ['no image', { image: { repository: '' } }],
    ['a namespace that is none', { games: { enabled: true, namespace: 'My Games' } }],
    ['a size without a unit', { storage: { size: '100' } }],
    ['a backup that goes nowhere', { backup: { enabled: true } }],
  ])('%s is refused', async (_name, values) => {
    await expect(render(values)).rejects.toThrow(/values don't meet the specifications|backup\.repository/)
  })
})

test('the manifest for other clusters is valid, and grants nothing beyond its namespace', async () => {
  const objects = gamesNamespace()
  for (const object of objects) {
    expect(await findSchemaFault(object), object.kind).toBeUndefined()
    if (object.kind !== 'Namespace') expect(object.metadata.namespace).toBe('wakestone-games')
  }
  expect(readFileSync(join(root, 'deploy/kubernetes/games.yaml'), 'utf8')).not.toContain('Cluster')
})
