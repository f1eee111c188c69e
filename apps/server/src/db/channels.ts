/**
 * Listens to PostgreSQL's channels, all on one connection per process. It is opened for the first listener, reopened
 * whenever it is lost, and closed after the last listener has left.
 */
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from '@wakestone/kit/logger'

export type Channels = {
  /** `channel` is a plain identifier. Rejects when there is no connection yet and none can be made. */
  listen(channel: string, handlers: Handlers): Promise<Listener>
  close(): Promise<void>
}

type Handlers = {
  onMessage: (payload: string) => void
  /** Messages sent while the connection was down are lost: read again what depends on them. */
  onReconnect: () => void
}

export type Listener = {
  connected: () => boolean
  /** Resolves once everything committed before has arrived here. */
  caughtUp: () => Promise<void>
  close: () => Promise<void>
}

type Subscriber = Handlers & { isListening: boolean }

/** @param url past any pooler: listening belongs to the connection. */
export function openChannels({ url, logger }: { url: string; logger: Logger }): Channels {
  const subscribers = new Map<string, Set<Subscriber>>()
  let connection: Connection | undefined
  let opening: Promise<void> | undefined
  let isClosed = false

  async function open(): Promise<void> {
    const fresh = createConnection(url, (channel, payload) => {
      for (const { onMessage } of subscribers.get(channel) ?? []) onMessage(payload)
    })
    await fresh.connect([...subscribers.keys()], () => {
      if (connection !== fresh) return
      connection = undefined
      opening ??= reopen()
    })
    // Before it counts as connected: nobody may believe that nothing was missed.
    for (const those of subscribers.values()) for (const one of those) if (one.isListening) one.onReconnect()
    connection = fresh
    if (isClosed) await disconnect()
  }

  async function disconnect(): Promise<void> {
    const ending = connection
    connection = undefined // a later listener gets a new connection
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
    const those = subscribers.get(channel)
    those?.delete(subscriber)
    if (those?.size === 0) subscribers.delete(channel)
  }

  return {
    async listen(channel, handlers) {
      const subscriber: Subscriber = { ...handlers, isListening: false }
      subscribers.set(channel, (subscribers.get(channel) ?? new Set()).add(subscriber))
      try {
        if (connection === undefined)
          await (opening ??= open().finally(() => {
            opening = undefined
          }))
        await connection?.listen(channel)
      } catch (error) {
        leave(channel, subscriber)
        throw error
      }
      subscriber.isListening = true
      return {
        connected: () => connection !== undefined && subscriber.isListening,
        caughtUp: async () => connection?.caughtUp(),
        async close() {
          subscriber.isListening = false
          leave(channel, subscriber)
          // A channel without listeners costs nothing; a connection does.
          if (subscribers.size === 0) await disconnect()
        },
      }
    },
    async close() {
      isClosed = true
      subscribers.clear()
      await disconnect()
    },
  }
}

type Connection = ReturnType<typeof createConnection>

/** One connection that listens. Its queries run one at a time. */
function createConnection(url: string, onMessage: (channel: string, payload: string) => void) {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'listens',
    keepAlive: true,
    connectionTimeoutMillis: 5_000,
  })
  client.on('notification', ({ channel, payload = '' }) => onMessage(channel, payload))
  const listening = new Map<string, Promise<unknown>>()
  let turn: Promise<unknown> = Promise.resolve()
  function run(sql: string): Promise<unknown> {
    const done = turn.then(() => client.query(sql))
    turn = done.catch(() => undefined)
    return done
  }

  // PostgreSQL sends pending notifications before it reports a query as done.
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
    /** Rejects when it cannot be opened; calls `onLost` once if it is lost later. */
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
        await Promise.all(channels.map((channel) => this.listen(channel)))
      } catch (error) {
        isUp = false
        await client.end().catch(() => undefined)
        throw error
      }
    },
    async listen(channel: string): Promise<void> {
      if (!listening.has(channel)) listening.set(channel, run(`listen ${channel}`))
      await listening.get(channel)
    },
    caughtUp,
    end: (): Promise<void> => client.end().catch(() => undefined),
  }
}
