/** Follows what agents tell of their servers; what breaks off is begun anew, and listed anew. */
import { setTimeout as delay } from 'node:timers/promises'
import type { ClusterEvent } from '../cluster.ts'
import { readMessages } from './lines.ts'
import type { Machine } from './machine.ts'
import { pingMilliseconds, watchMessageSchema } from './messages.ts'

const RETRY_MS = 1_000
const SILENCE_MS = 3 * pingMilliseconds
/** Kept for whoever reads slowly; then all is listed anew. */
const MOST_WAITING = 10_000
/** Placements change seldom: a machine that tells more is hung up on, and may try again. */
const MOST_PER_SECOND = 2_000

export async function* watchMachines({
  machines,
  list,
  signal,
}: {
  machines: readonly Machine[]
  list: () => Promise<string[]>
  signal: AbortSignal
}): AsyncGenerator<ClusterEvent> {
  let waiting: ClusterEvent[] = []
  let wake = () => {}
  const tell = (event: ClusterEvent) => {
    if (event.kind === 'listed' || waiting.length >= MOST_WAITING)
      waiting = waiting.filter(({ kind }) => kind === 'listed')
    waiting.push(event)
    wake()
  }
  const following = machines.map(follow)
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

  async function follow(machine: Machine): Promise<void> {
    while (!signal.aborted) {
      await followOnce(machine).catch(() => undefined) // it is away: when it is back, all is listed
      await delay(RETRY_MS, undefined, { signal }).catch(() => undefined)
    }
  }

  async function followOnce(machine: Machine): Promise<void> {
    const silence = new AbortController()
    let timer = setTimeout(() => silence.abort(), SILENCE_MS)
    let said = 0
    const counting = setInterval(() => (said = 0), 1_000)
    try {
      const response = await machine.stream('GET', '/v1/watch', { signal: AbortSignal.any([signal, silence.signal]) })
      for await (const message of readMessages(response, watchMessageSchema)) {
        if (++said > MOST_PER_SECOND) throw new Error('too much is told')
        clearTimeout(timer)
        timer = setTimeout(() => silence.abort(), SILENCE_MS)
        if (message.kind === 'listed') tell({ kind: 'listed', serverIds: await list() })
        else if (message.kind === 'changed') tell(message)
      }
    } finally {
      clearTimeout(timer)
      clearInterval(counting)
    }
  }
}
