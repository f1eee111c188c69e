/**
 * A small Kubernetes in this process: its HTTP API, and one machine that really starts what it is given, as processes of
 * this one. Takes root, bubblewrap and `ip`, as Pods have a network and a user of their own.
 */
import { spawnSync } from 'node:child_process'
import { startApiServer } from './kubernetes/api-server.ts'
import { type ApiAddress, createClient } from './kubernetes/client.ts'
import { kinds, type KubeObject } from './kubernetes/kinds.ts'
import { startNode } from './kubernetes/node.ts'
import { startRealApi } from './kubernetes/real.ts'

export { findSchemaFault } from './kubernetes/kinds.ts'
export { findServerFault, startRealApi } from './kubernetes/real.ts'
export type { KubeObject } from './kubernetes/kinds.ts'

const TOKENS = { admin: 'token-of-the-administrator', product: 'token-of-the-product' }

/** Why none can be had here; undefined where one can. */
export function findKubernetesFault(): string | undefined {
  if (process.getuid?.() !== 0) return 'the tests do not run as root'
  const programs = ['bwrap', 'ip', 'nsenter', 'setpriv', 'prlimit']
  const missing = programs.filter((name) => spawnSync('/bin/sh', ['-c', `command -v ${name}`]).status !== 0)
  return missing.length === 0 ? undefined : `${missing.join(', ')} not installed`
}

/**
 * @param objects what an administrator has created before, such as a namespace and a Role
 * @param account the ServiceAccount whose token `kubeconfig` has
 */
export async function startKubernetes({
  images,
  objects = [],
  account,
}: {
  images: readonly string[]
  objects?: readonly KubeObject[]
  account: { namespace: string; name: string }
}) {
  const { admin, close, ...api } = await startKubernetesApi({ objects, account })
  const node = await startNode({ api: { url: api.url, token: admin }, images })
  return {
    ...api,
    node,
    async close() {
      await node.close()
      await close()
    },
  }
}

/** The API alone, which starts nothing. */
export async function startKubernetesApi({
  objects = [],
  account,
}: {
  objects?: readonly KubeObject[]
  account: { namespace: string; name: string }
}) {
  const api = await startApiServer()
  api.access.addUser(TOKENS.admin, 'admin', ['system:masters'])
  api.access.addUser(TOKENS.product, `system:serviceaccount:${account.namespace}:${account.name}`)
  await createAll({ url: api.url, token: TOKENS.admin }, objects)
  return {
    ...api,
    admin: TOKENS.admin,
    kindOf: (plural: string) => kinds.find((one) => one.plural === plural) as (typeof kinds)[number],
    kubeconfig: kubeconfigOf({ url: api.url, token: TOKENS.product }),
  }
}

/** What an administrator creates. */
async function createAll(address: ApiAddress, objects: readonly KubeObject[]): Promise<void> {
  const client = createClient(address)
  for (const object of objects) {
    const kind = kinds.find((one) => one.kind === object.kind)
    if (kind === undefined) throw new Error(`a ${object.kind} is not known here`)
    const group = kind.group === '' ? '/api/v1' : `/apis/${kind.group}/v1`
    const within = kind.namespaced ? `/namespaces/${object.metadata.namespace}` : ''
    await client.call('POST', `${group}${within}/${kind.plural}`, object)
  }
}

/** The same with a real API server, as far as there is one here. */
export async function startRealKubernetes({
  program,
  images,
  objects,
  account,
  tls,
}: {
  program: string
  images: readonly string[]
  objects: readonly KubeObject[]
  account: { namespace: string; name: string }
  /** Of the machine, which the server asks for what only it has. */
  tls: { key: string; cert: string }
}) {
  const { url, ca, tokens, close } = await startRealApi(program, account)
  const address = { url, ca, token: tokens.admin }
  try {
    await createAll(address, objects)
    const node = await startNode({ api: address, images, tls })
    return {
      url,
      ca,
      tokens,
      node,
      kubeconfig: kubeconfigOf({ url, ca, token: tokens.product }),
      async close() {
        await node.close()
        await close()
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** JSON is YAML. */
export const kubeconfigOf = ({ url, token, ca }: { url: string; token: string; ca?: string }) =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'test',
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'product' } }],
    clusters: [
      {
        name: 'test',
        cluster: {
          server: url,
          'insecure-skip-tls-verify': url.startsWith('http:'),
          ...(ca && { 'certificate-authority-data': Buffer.from(ca).toString('base64') }),
        },
      },
    ],
    users: [{ name: 'product', user: { token } }],
  })
