/**
 * Tells what happens to Pods of servers, by the library's informer: it lists, watches from there on, and lists anew where
 * the API no longer knows so far back. It ends with an error of the connection, and is begun again then.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { V1Pod } from '@kubernetes/client-node'
import type { ClusterEvent } from '../cluster.ts'
import type { Api } from './api.ts'
import { label, type Names } from './names.ts'

const RETRY_MS = 500

export async function* watchPods({
  open,
  names,
  list,
  onBoxEnd,
  signal,
}: {
  open: () => Promise<Api>
  names: Names
  list: () => Promise<string[]>
  onBoxEnd: () => void
  signal: AbortSignal
}): AsyncGenerator<ClusterEvent> {
  const waiting: ClusterEvent[] = []
  let wake = () => {}
  const tell = (event: ClusterEvent) => {
    waiting.push(event)
    wake()
  }
  signal.addEventListener('abort', () => wake(), { once: true })
  const following = follow()
  try {
    while (!signal.aborted) {
      const event = waiting.shift()
      if (event !== undefined) yield event
      else await new Promise<void>((resolve) => (wake = resolve))
    }
  } finally {
    await following
  }

  async function follow(): Promise<void> {
    while (!signal.aborted) {
      await followOnce().catch(() => undefined) // it is away: what is told then is told by listing anew
      await delay(RETRY_MS, undefined, { signal }).catch(() => undefined)
    }
  }

  async function followOnce(): Promise<void> {
    const api = await open()
    const { library, config, core, namespace, ask } = api
    const labelSelector = names.selector()
    const path = `/api/v1/namespaces/${namespace}/pods`
    const informer = library.makeInformer<V1Pod>(
      config,
      path,
      () => ask(core.listNamespacedPod({ namespace, labelSelector })),
      labelSelector,
    )
    const failed = new Promise<void>((resolve) => informer.on('error', () => resolve()))
    // What is there at the beginning is told as a whole.
    let isListed = false
    for (const verb of ['add', 'update', 'delete'] as const) informer.on(verb, (pod) => isListed && note(pod))
    try {
      await informer.start()
      isListed = true
      tell({ kind: 'listed', serverIds: await list() })
      await Promise.race([
        failed,
        new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true })),
      ])
    } finally {
      await informer.stop()
    }
  }

  function note({ metadata, status }: V1Pod) {
    const { [label.server]: serverId, [label.role]: role } = metadata?.labels ?? {}
    if (serverId === undefined) return
    if (role === 'server') tell({ kind: 'changed', serverId })
    else if (status?.phase === 'Succeeded' || status?.phase === 'Failed') onBoxEnd()
  }
}
