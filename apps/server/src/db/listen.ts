/**
 * Listens to a PostgreSQL channel on a connection of its own, which is opened again whenever it is lost.
 */
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from '@wakestone/kit/logger'

export type Listener = {
  connected: () => boolean
  /** Until all that was committed before has been told here. */
  caughtUp: () => Promise<void>
  close: () => Promise<void>
}

export async function listen({
  url,
  channel,
  logger,
  onMessage,
  onReconnect,
}: {
  url: string
  /** A plain identifier. */
  channel: string
  logger: Logger
  onMessage: (payload: string) => void
  /** Messages sent while the connection was down are lost: read again what depends on them. */
  onReconnect: () => void
}): Promise<Listener> {
  let client: pg.Client | undefined
  let closed = false

  async function open(again: boolean) {
    const fresh = new pg.Client({
      connectionString: url,
      application_name: `listens to ${channel}`,
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
    })
    let lost = false
    const lose = () => {
      if (lost) return
      lost = true
      if (client === fresh) client = undefined
      void fresh.end().catch(() => undefined)
      if (!closed) void reopen()
    }
    fresh.on('error', lose)
    fresh.on('end', lose)
    fresh.on('notification', (message) => onMessage(message.payload ?? ''))
    try {
      await fresh.connect()
      await fresh.query(`listen ${channel}`)
    } catch (error) {
      lost = true
      await fresh.end().catch(() => undefined)
      throw error
    }
    if (again) onReconnect() // first: nobody may believe that nothing was missed
    client = fresh
  }

  async function reopen() {
    for (let wait = 100; !closed; wait = Math.min(wait * 2, 2_000)) {
      try {
        await open(true)
        return
      } catch (error) {
        logger.warn({ error, channel }, 'cannot listen to the database yet')
        await delay(wait)
      }
    }
  }

  // PostgreSQL sends what it has to tell before it says that a query is done.
  const ask = async () => void (await client?.query('select').catch(() => undefined))
  let asking: Promise<void> | undefined
  let next: Promise<void> | undefined
  function askNow(): Promise<void> {
    const asked = ask()
    asking = asked
    void asked.then(() => {
      if (asking === asked) asking = undefined
    })
    return asked
  }
  /** A connection runs one query at a time. Callers that arrive during one share the next. */
  function caughtUp(): Promise<void> {
    if (next !== undefined) return next
    if (asking === undefined) return askNow()
    next = asking.then(() => {
      next = undefined
      return askNow()
    })
    return next
  }

  await open(false)
  return {
    connected: () => client !== undefined,
    caughtUp,
    async close() {
      closed = true
      await client?.end()
    },
  }
}
