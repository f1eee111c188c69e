/** Work that waits in a table: done when it is written, and when its time has come. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Context } from '#src/context.ts'

const lookMilliseconds = 3_000

/**
 * Does what is due as long as the process runs.
 * @param channel on which PostgreSQL tells that something was written
 * @param lanes each does some of what is due and says how much that was; they run beside each other, and one that is slow
 *   holds up no other
 */
export async function beginDueWork(
  { logger, channels }: Pick<Context, 'logger' | 'channels'>,
  { channel, lanes }: { channel: string; lanes: readonly (() => Promise<number>)[] },
): Promise<{ close(): Promise<void> }> {
  const stopping = new AbortController()
  let wake = () => {}
  let woken = new Promise<void>((resolve) => (wake = resolve))
  const wakeAll = () => {
    wake()
    woken = new Promise((resolve) => (wake = resolve))
  }
  const listener = await channels.listen(channel, { onMessage: wakeAll, onReconnect: wakeAll })

  async function run(doSome: () => Promise<number>): Promise<void> {
    while (!stopping.signal.aborted) {
      const next = woken // before looking: what is written meanwhile wakes us
      try {
        if ((await doSome()) > 0) continue
      } catch (error) {
        if (!stopping.signal.aborted) logger.warn({ error, channel }, 'cannot look for what is due now')
      }
      const resting = new AbortController()
      const rest = delay(lookMilliseconds, undefined, { signal: AbortSignal.any([resting.signal, stopping.signal]) })
      await Promise.race([next, rest.catch(() => undefined)])
      resting.abort()
    }
  }
  const runs = lanes.map(run)
  return {
    async close() {
      stopping.abort()
      wakeAll()
      await Promise.all(runs)
      await listener.close()
    },
  }
}
