/**
 * What PostgreSQL tells on its channels, all of them heard on one connection of the process, which is opened for the
 * first of them, again whenever it is lost, and closed after the last.
 */
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from '@wakestone/kit/logger'

export type Channels = {
  /** Hears `channel`, a plain identifier. Rejects when there is no connection yet and none can be made. */
  listen(channel: string, ears: Ears): Promise<Listener>
  close(): Promise<void>
}

type Ears = {
  onMessage: (payload: string) => void
  /** Messages sent while the connection was down are lost: read again what depends on them. */
  onReconnect: () => void
}

export type Listener = {
  connected: () => boolean
  /** Until all that was committed before has been told here. */
  caughtUp: () => Promise<void>
  close: () => Promise<void>
}

type Subscriber = Ears & { isHeard: boolean }

/** @param url past any pooler: what is heard belongs to the connection. */
export function openChannels({ url, logger }: { url: string; logger: Logger }): Channels {
  const subscribers = new Map<string, Set<Subscriber>>()
  let line: Line | undefined
  let opening: Promise<void> | undefined
  let isClosed = false

  async function open(): Promise<void> {
    const fresh = createLine(url, (channel, payload) => {
      for (const { onMessage } of subscribers.get(channel) ?? []) onMessage(payload)
    })
    await fresh.connect([...subscribers.keys()], () => {
      if (line !== fresh) return
      line = undefined
      opening ??= reopen()
    })
    // First: nobody may believe that nothing was missed.
    for (const ears of subscribers.values()) for (const one of ears) if (one.isHeard) one.onReconnect()
    line = fresh
    if (isClosed) await hangUp()
  }

  async function hangUp(): Promise<void> {
    const ending = line
    line = undefined // what is listened to from now on is heard on another
    await ending?.end()
  }

  async function reopen(): Promise<void> {
    for (let wait = 100; !isClosed && subscribers.size > 0; wait = Math.min(wait * 2, 2_000)) {
      try {
        await open()
        break
      } catch (error) {
        logger.warn({ error }, 'cannot listen to the database yet')
        await delay(wait)
      }
    }
    opening = undefined
  }

  function leave(channel: string, subscriber: Subscriber): void {
    const ears = subscribers.get(channel)
    ears?.delete(subscriber)
    if (ears?.size === 0) subscribers.delete(channel)
  }

  return {
    async listen(channel, ears) {
      const subscriber: Subscriber = { ...ears, isHeard: false }
      subscribers.set(channel, (subscribers.get(channel) ?? new Set()).add(subscriber))
      try {
        if (line === undefined)
          await (opening ??= open().finally(() => {
            opening = undefined
          }))
        await line?.hear(channel)
      } catch (error) {
        leave(channel, subscriber)
        throw error
      }
      subscriber.isHeard = true
      return {
        connected: () => line !== undefined && subscriber.isHeard,
        caughtUp: async () => line?.caughtUp(),
        async close() {
          subscriber.isHeard = false
          leave(channel, subscriber)
          // A channel that nobody hears any more costs nothing; a connection does.
          if (subscribers.size === 0) await hangUp()
        },
      }
    },
    async close() {
      isClosed = true
      subscribers.clear()
      await hangUp()
    },
  }
}

type Line = ReturnType<typeof createLine>

/** One connection that hears channels. Its queries run one at a time. */
function createLine(url: string, onMessage: (channel: string, payload: string) => void) {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'listens',
    keepAlive: true,
    connectionTimeoutMillis: 5_000,
  })
  client.on('notification', ({ channel, payload = '' }) => onMessage(channel, payload))
  const heard = new Map<string, Promise<unknown>>()
  let turn: Promise<unknown> = Promise.resolve()
  function run(sql: string): Promise<unknown> {
    const done = turn.then(() => client.query(sql))
    turn = done.catch(() => undefined)
    return done
  }

  // PostgreSQL sends what it has to tell before it says that a query is done.
  let next: Promise<void> | undefined
  /** Callers that arrive while a query runs share the next one. */
  function caughtUp(): Promise<void> {
    next ??= turn.then(async () => {
      next = undefined
      await run('select').catch(() => undefined)
    })
    return next
  }

  return {
    /** Rejects when it cannot be made; calls `onLost` once when it is lost later. */
    async connect(channels: readonly string[], onLost: () => void): Promise<void> {
      let isUp = false
      const lose = () => {
        if (!isUp) return
        isUp = false
        void client.end().catch(() => undefined)
        onLost()
      }
      client.on('error', lose)
      client.on('end', lose)
      try {
        await client.connect()
        isUp = true
        await Promise.all(channels.map((channel) => this.hear(channel)))
      } catch (error) {
        isUp = false
        await client.end().catch(() => undefined)
        throw error
      }
    },
    async hear(channel: string): Promise<void> {
      if (!heard.has(channel)) heard.set(channel, run(`listen ${channel}`))
      await heard.get(channel)
    },
    caughtUp,
    end: (): Promise<void> => client.end().catch(() => undefined),
  }
}
