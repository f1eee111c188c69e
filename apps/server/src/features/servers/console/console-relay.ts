/**
 * Keeps one reader on a supervisor's stream for as long as it is wanted: a supervisor that goes and comes back is
 * found again, and the console goes on after the last line that was passed on.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { StreamMessage } from '@wakestone/protocol/supervisor'
import type { Fleet } from '#src/adapters/clusters/fleet.ts'
import type { SupervisorStream } from '#src/adapters/supervisor/client.ts'

const shortestWait = 250
const longestWait = 2_000

/** @param after number of the last line that the reader has */
export function followConsole({
  fleet,
  serverId,
  after,
  onMessage,
}: {
  fleet: Fleet
  serverId: string
  after: number
  onMessage: (message: StreamMessage) => void
}): { close(): void } {
  const ending = new AbortController()
  let seen = after
  let stream: SupervisorStream | undefined

  async function followOnce(): Promise<boolean> {
    const supervisor = await fleet.find(serverId)
    if (supervisor === undefined || ending.signal.aborted) return false
    const opened = await supervisor.openStream(seen)
    if (ending.signal.aborted) {
      opened.close()
      return false
    }
    stream = opened
    await new Promise<void>((resolve) => {
      opened.onClose(resolve)
      opened.onMessage((message) => {
        if (message.type === 'console') seen = message.lines.at(-1)?.seq ?? seen
        onMessage(message)
      })
    })
    stream = undefined
    return true
  }

  async function follow() {
    for (let wait = shortestWait; !ending.signal.aborted; wait = Math.min(wait * 2, longestWait)) {
      const wasOpen = await followOnce().catch(() => false) // not up, or not now: tried again
      if (wasOpen) wait = shortestWait
      await delay(wait, undefined, { signal: ending.signal }).catch(() => undefined)
    }
  }

  void follow()
  return {
    close() {
      ending.abort()
      stream?.close()
    },
  }
}
