/**
 * Helm installs the chart into a real API server of Kubernetes, and the panel's account there can do what the driver needs and
 * nothing else. No Pod runs: see `api-server.long.test.ts`. What the server of 1.20 does not know yet is left out.
 */
import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findServerFault, kubeconfigOf, startRealApi } from '@wakestone/simulators/kubernetes'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openApi } from '../apps/server/src/adapters/clusters/kubernetes/api.ts'
import { findMissing, permissions } from '../apps/server/src/adapters/clusters/kubernetes/permissions.ts'

const root = join(import.meta.dirname, '..')
const [helm, kubectl] = ['helm/helm', 'kubectl/kubectl'].map((name) => join(root, '.cache/helm', name)) as [
  string,
  string,
]
const program = process.env['TEST_KUBE_APISERVER'] ?? join(root, '.cache/kubernetes/kube-apiserver')
const fault = existsSync(helm) ? findServerFault(program) : 'set-up could not fetch Helm'
if (fault !== undefined) console.error(`the chart is not installed here: ${fault}`)
const run = promisify(execFile)

describe.skipIf(fault !== undefined)('a chart that is installed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'wshi-'))
  const admin = join(folder, 'admin.json')
  let api: Awaited<ReturnType<typeof startRealApi>>
  const env = {
    ...process.env,
    HELM_CACHE_HOME: folder,
    HELM_CONFIG_HOME: folder,
    HELM_DATA_HOME: folder,
    KUBECONFIG: admin,
  }
  const ask = (...args: string[]) => run(kubectl, args, { env }).then(({ stdout }) => stdout)

  beforeAll(async () => {
    // As whom the release's Pod speaks.
    api = await startRealApi(program, { namespace: 'site', name: 'ours' })
    writeFileSync(admin, kubeconfigOf({ url: api.url, ca: api.ca, token: api.tokens.admin }))
    cpSync(join(root, 'deploy/helm/wakestone'), join(folder, 'chart'), { recursive: true, dereference: true })
    const change = (name: string, what: RegExp) => {
      const file = join(folder, 'chart', name)
      writeFileSync(file, readFileSync(file, 'utf8').replace(what, ''))
    }
    change('Chart.yaml', /^kubeVersion:.*$/m)
    change('templates/node.yaml', /^ +appArmorProfile:.*\n/m) // of 1.30
    await ask('create', 'namespace', 'site')
  }, 180_000)
  afterAll(async () => {
    await api?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test('has all its objects there, and its account may do what it has to', async () => {
    const values = ['games.enabled=true', 'podDisruptionBudget.enabled=false'] // policy/v1 is of 1.21
    const args = [
      'install',
      'ours',
      join(folder, 'chart'),
      '--namespace',
      'site',
      ...values.flatMap((value) => ['--set', value]),
    ]
    const { stdout } = await run(helm, args, { env })
    expect(stdout).toContain('STATUS: deployed')
    const there = await ask('get', 'statefulset,service,configmap,networkpolicy,pvc', '-n', 'site', '-o', 'name')
    for (const name of [
      'statefulset.apps/ours',
      'service/ours',
      'service/ours-players',
      'configmap/ours-settings',
      'networkpolicy.networking.k8s.io/ours',
      'persistentvolumeclaim/ours-data',
    ])
      expect(there).toContain(name)
    const { spec } = JSON.parse(await ask('get', 'statefulset', 'ours', '-n', 'site', '-o', 'json')).spec.template
    expect(spec).toMatchObject({ automountServiceAccountToken: false, serviceAccountName: 'ours' })
    expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 10001 })

    const kubeconfig = kubeconfigOf({ url: api.url, ca: api.ca, token: api.tokens.product })
    expect(await findMissing(await openApi({ kubeconfig, namespace: 'wakestone-games' }))).toEqual([])
    const elsewhere = await findMissing(await openApi({ kubeconfig, namespace: 'site' }))
    expect(elsewhere).toHaveLength(permissions.flatMap(({ verbs }) => verbs).length)
    const can = (...what: string[]) =>
      run(kubectl, ['auth', 'can-i', ...what, '--as', 'system:serviceaccount:site:ours'], { env }).then(
        () => true,
        () => false,
      )
    expect(await can('create', 'statefulsets', '-n', 'wakestone-games')).toBe(true)
    for (const what of [
      ['get', 'secrets', '-n', 'wakestone-games'],
      ['create', 'roles', '-n', 'wakestone-games'],
      ['list', 'nodes'],
      ['delete', 'namespaces'],
      ['get', 'secrets', '-n', 'site'],
    ])
      expect(await can(...what), what.join(' ')).toBe(false)
  }, 60_000)

  test('goes again, but for what customers have', async () => {
    await run(helm, ['uninstall', 'ours', '--namespace', 'site'], { env })
    expect(await ask('get', 'statefulset,service,configmap', '-n', 'site', '-o', 'name')).not.toContain('/ours')
    expect(await ask('get', 'pvc', '-n', 'site', '-o', 'name')).toContain('ours-data')
    expect(await ask('get', 'namespace', 'wakestone-games', '-o', 'name')).toContain('wakestone-games')
  }, 60_000)
})
