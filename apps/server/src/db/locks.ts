/**
 * Locks between workers: PostgreSQL's advisory ones, all held by one connection, so that they end with their worker.
 */
import pg from 'pg'
import type { Logger } from '@wakestone/kit/logger'

export type Locks = {
  /** Takes a lock unless another worker, or this one, holds it. @throws Error while the database is away. */
  tryHold(name: string): Promise<boolean>
  release(name: string): Promise<void>
  /** Calls back when the connection broke: every lock is lost. */
  onLost(listener: () => void): void
  close(): Promise<void>
}

export function createLocks({ url, logger }: { url: string; logger: Logger }): Locks {
  const held = new Set<string>()
  const listeners = new Set<() => void>()
  let client: Promise<pg.Client> | undefined
  let closed = false
  /** A connection does one thing at a time. */
  let queue: Promise<unknown> = Promise.resolve()

  function ask(query: string, name: string): Promise<boolean> {
    const answer = queue.then(async () => (await (await connection()).query<{ done: boolean }>(query, [name])).rows[0]?.done === true)
    queue = answer.catch(() => undefined)
    return answer
  }

  async function open(): Promise<pg.Client> {
    const fresh = new pg.Client({ connectionString: url, keepAlive: true, connectionTimeoutMillis: 5_000 })
    const lose = () => {
      if (closed || client === undefined) return
      client = undefined
      held.clear()
      logger.warn('the connection that holds locks was lost')
      void fresh.end().catch(() => undefined)
      for (const listener of listeners) listener()
    }
    await fresh.connect()
    fresh.on('error', lose)
    fresh.on('end', lose)
    return fresh
  }

  function connection(): Promise<pg.Client> {
    if (closed) throw new Error('locks are closed')
    client ??= open().catch((error: unknown) => {
      client = undefined
      throw error
    })
    return client
  }

  return {
    async tryHold(name) {
      if (held.has(name)) return false
      held.add(name) // two callers of this process ask at once
      try {
        const isTaken = await ask('select pg_try_advisory_lock(hashtextextended($1, 0)) as done', name)
        if (!isTaken) held.delete(name)
        return isTaken
      } catch (error) {
        held.delete(name)
        throw error
      }
    },
    async release(name) {
      if (!held.delete(name) || client === undefined) return
      await ask('select pg_advisory_unlock(hashtextextended($1, 0)) as done', name).catch(() => undefined) // lost with the connection
    },
    onLost: (listener) => void listeners.add(listener),
    async close() {
      closed = true
      await (await client?.catch(() => undefined))?.end()
    },
  }
}
