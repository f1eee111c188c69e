/** Code of ours in the cluster: each file is a ConfigMap that is named by what it holds and never changes. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { type Api, create } from './api.ts'
import { label, type Names } from './names.ts'
import { listPods, unlessGone } from './pods.ts'

type Packed = { hash: string; data: string }
const packed = new Map<string, Packed>()

/** A file of this machine, and what it is called there. */
export type Code = { file: string; name: 'supervisor.mjs' | 'files.mjs' }

/** Read anew whenever it is asked for: what lies at a path may have changed. */
function pack({ file, name }: Code): Packed {
  const bytes = readFileSync(file)
  const hash = createHash('sha256').update(`${name}\n`).update(bytes).digest('hex').slice(0, 32)
  let found = packed.get(hash)
  if (found === undefined) packed.set(hash, (found = { hash, data: gzipSync(bytes, { level: 9 }).toString('base64') }))
  return found
}

/** Sees to it that it is there. @returns the ConfigMap's name */
export async function provideCode({ core, namespace, ask }: Api, names: Names, code: Code): Promise<string> {
  const { hash, data } = pack(code)
  const name = names.content(hash)
  const body = {
    metadata: { name, labels: names.labels('content') },
    immutable: true,
    binaryData: { [`${code.name}.gz`]: data },
  }
  await create(ask(core.createNamespacedConfigMap({ namespace, body })))
  return name
}

/** Takes away what nobody has and nobody will be given next. */
export async function removeUnusedCode(api: Api, names: Names, next: readonly Code[]): Promise<void> {
  const { core, apps, namespace, ask } = api
  const kept = new Set(next.map((code) => names.content(pack(code).hash)))
  const labelSelector = names.selector({ [label.role]: 'content' })
  const maps = await ask(core.listNamespacedConfigMap({ namespace, labelSelector }))
  const sets = await ask(apps.listNamespacedStatefulSet({ namespace, labelSelector: names.selector() }))
  const pods = await listPods(api, names.selector())
  for (const spec of [...sets.items.map(({ spec: own }) => own?.template.spec), ...pods.map(({ spec: own }) => own)])
    for (const { configMap } of spec?.volumes ?? []) if (configMap?.name) kept.add(configMap.name)
  for (const { metadata } of maps.items) {
    const name = metadata?.name as string
    if (!kept.has(name)) await ask(core.deleteNamespacedConfigMap({ namespace, name })).catch(unlessGone)
  }
}
