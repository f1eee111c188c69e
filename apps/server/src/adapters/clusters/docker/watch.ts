/** Tells what happens to containers by the events of their engines, which are followed again wherever that breaks off. */
import { setTimeout as delay } from 'node:timers/promises'
import type { ClusterEvent } from '../cluster.ts'
import type { Host } from './host.ts'
import { label, type Names } from './names.ts'

const RETRY_MS = 1_000
const MOST_LINE = 256 * 1024
const ACTIONS = ['start', 'die', 'died', 'kill', 'oom', 'pause', 'unpause', 'destroy', 'remove', 'stop', 'cleanup']

type EngineEvent = { Action?: string; status?: string; Actor?: { Attributes?: Record<string, string> } }

export async function* watchHosts({
  hosts,
  names,
  list,
  onBoxEnd,
  signal,
}: {
  hosts: readonly Host[]
  names: Names
  list: () => Promise<string[]>
  onBoxEnd: (host: Host) => void
  signal: AbortSignal
}): AsyncGenerator<ClusterEvent> {
  const waiting: ClusterEvent[] = []
  let wake = () => {}
  const tell = (event: ClusterEvent) => {
    waiting.push(event)
    wake()
  }
  const following = hosts.map((host) => follow(host))
  signal.addEventListener('abort', () => wake(), { once: true })
  try {
    while (!signal.aborted) {
      const event = waiting.shift()
      if (event !== undefined) yield event
      else await new Promise<void>((resolve) => (wake = resolve))
    }
  } finally {
    await Promise.all(following)
  }

  async function follow(host: Host): Promise<void> {
    while (!signal.aborted) {
      await followOnce(host).catch(() => undefined) // it is away: what is told then is told by listing anew
      await delay(RETRY_MS, undefined, { signal }).catch(() => undefined)
    }
  }

  async function followOnce(host: Host): Promise<void> {
    const filters = JSON.stringify({ type: ['container'], label: [`${label.cluster}=${names.mark}`] })
    const stream = await host.engine.stream('GET', '/events', { query: { filters }, signal })
    // What happens from here on is told by events, what happened before is in the list.
    tell({ kind: 'listed', serverIds: await list() })
    let rest = ''
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      rest += chunk.toString()
      const lines = rest.split('\n')
      rest = (lines.pop() ?? '').slice(0, MOST_LINE)
      for (const line of lines) readEvent(host, line)
    }
  }

  function readEvent(host: Host, line: string) {
    let event: EngineEvent
    try {
      event = JSON.parse(line) as EngineEvent
    } catch {
      return
    }
    if (!ACTIONS.includes((event.Action ?? event.status ?? '').split(':')[0] as string)) return
    const { [label.server]: serverId, [label.role]: role } = event.Actor?.Attributes ?? {}
    if (serverId === undefined) return
    if (role === 'server') tell({ kind: 'changed', serverId })
    else if (role === 'box') onBoxEnd(host)
  }
}
