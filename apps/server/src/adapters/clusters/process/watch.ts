/** Tells of placements that have changed by looking at all of them again and again: processes tell nobody of their end. */
import { setTimeout as delay } from 'node:timers/promises'
import type { ClusterEvent } from '../cluster.ts'

const LOOK_MS = 3000

export async function* watchPlacements({
  list,
  lookAt,
  signal,
}: {
  list: () => string[]
  /** Another text for another placement, and for another state of it. */
  lookAt: (serverId: string) => Promise<string>
  signal: AbortSignal
}): AsyncGenerator<ClusterEvent> {
  let known = await look()
  yield { kind: 'listed', serverIds: [...known.keys()] }
  for (;;) {
    await delay(LOOK_MS, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return
    const found = await look()
    const all = new Set([...known.keys(), ...found.keys()])
    for (const serverId of all) if (known.get(serverId) !== found.get(serverId)) yield { kind: 'changed', serverId }
    known = found
  }

  async function look(): Promise<Map<string, string>> {
    const states = list().map(async (serverId) => [serverId, await lookAt(serverId)] as const)
    return new Map(await Promise.all(states))
  }
}
