/** What the simulated API keeps: objects, and what has happened to them for those who watch. */
import { randomUUID } from 'node:crypto'
import { type Kind, type KubeObject, apiVersionOf } from './kinds.ts'

export type Change = {
  version: number
  type: 'ADDED' | 'MODIFIED' | 'DELETED'
  kind: Kind
  object: KubeObject
  before?: KubeObject
}
export type Store = ReturnType<typeof createStore>

/** What the API refuses, by its own words. */
export class Refusal extends Error {
  readonly code: number
  readonly reason: string
  constructor(code: number, reason: string, message: string) {
    super(message)
    this.code = code
    this.reason = reason
  }
}

const keyOf = (kind: Kind, namespace: string | undefined, name: string) =>
  `${kind.group}/${kind.plural}/${kind.namespaced ? namespace : ''}/${name}`

export function createStore() {
  const objects = new Map<string, { kind: Kind; object: KubeObject }>()
  const changes: Change[] = []
  const listeners = new Set<(change: Change) => void>()
  let version = 1
  let forgotten = 0

  function tell(type: Change['type'], kind: Kind, object: KubeObject, before?: KubeObject) {
    const change: Change = { version, type, kind, object, ...(before && { before }) }
    changes.push(change)
    if (changes.length > 5_000) forgotten = (changes.shift() as Change).version
    for (const listener of listeners) listener(change)
  }
  const copy = (object: KubeObject): KubeObject => structuredClone(object)

  function get(kind: Kind, namespace: string | undefined, name: string): KubeObject {
    const found = objects.get(keyOf(kind, namespace, name))
    if (found === undefined) throw new Refusal(404, 'NotFound', `${kind.plural} "${name}" not found`)
    return copy(found.object)
  }

  function list(kind: Kind, namespace?: string): KubeObject[] {
    return [...objects.values()]
      .filter(({ kind: other, object }) => other === kind && (!namespace || object.metadata.namespace === namespace))
      .map(({ object }) => copy(object))
  }

  function create(kind: Kind, namespace: string | undefined, given: KubeObject): KubeObject {
    const object = copy(given)
    object.metadata.name ||= `${object.metadata.generateName ?? ''}${randomUUID().slice(0, 5)}`
    const key = keyOf(kind, namespace, object.metadata.name)
    if (objects.has(key))
      throw new Refusal(409, 'AlreadyExists', `${kind.plural} "${object.metadata.name}" already exists`)
    version++
    Object.assign(object, { apiVersion: apiVersionOf(kind), kind: kind.kind })
    Object.assign(object.metadata, {
      ...(kind.namespaced && { namespace }),
      uid: randomUUID(),
      resourceVersion: String(version),
      generation: 1,
      creationTimestamp: now(),
    })
    objects.set(key, { kind, object })
    tell('ADDED', kind, copy(object))
    return copy(object)
  }

  /** @throws Refusal 409 where it was changed since it was read */
  function replace(kind: Kind, namespace: string | undefined, next: KubeObject): KubeObject {
    const before = get(kind, namespace, next.metadata.name)
    const wanted = next.metadata.resourceVersion
    if (wanted !== undefined && wanted !== before.metadata.resourceVersion)
      throw new Refusal(
        409,
        'Conflict',
        `the object has been modified; please apply your changes to the latest version`,
      )
    const object = copy(next)
    object.metadata.resourceVersion = before.metadata.resourceVersion as string
    if (JSON.stringify(object) === JSON.stringify(before)) return object
    version++
    object.metadata.resourceVersion = String(version)
    if (JSON.stringify(object.spec) !== JSON.stringify(before.spec))
      object.metadata.generation = (before.metadata.generation ?? 1) + 1
    if (
      object.metadata.deletionTimestamp !== undefined &&
      !object.metadata.finalizers?.length &&
      kind.plural !== 'pods'
    )
      return drop(kind, namespace, object)
    objects.set(keyOf(kind, namespace, object.metadata.name), { kind, object })
    tell('MODIFIED', kind, copy(object), before)
    return copy(object)
  }

  function drop(kind: Kind, namespace: string | undefined, object: KubeObject): KubeObject {
    objects.delete(keyOf(kind, namespace, object.metadata.name))
    version++
    const last = copy(object)
    last.metadata.resourceVersion = String(version)
    tell('DELETED', kind, last)
    return last
  }

  return {
    get,
    list,
    create,
    replace,
    drop,
    version: () => version,
    /** What has happened since; undefined where that is no longer known. */
    since: (from: number) => (from < forgotten ? undefined : changes.filter((change) => change.version > from)),
    listen(listener: (change: Change) => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    /** Forgets what has happened, as etcd does by and by. */
    compact() {
      forgotten = version
      changes.length = 0
    },
  }
}

export const now = () => `${new Date().toISOString().slice(0, 19)}Z`
