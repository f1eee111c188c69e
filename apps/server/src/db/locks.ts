/**
 * Locks between workers: PostgreSQL's advisory ones, all held by one connection, so that they end with their worker.
 */
import pg from 'pg'
import type { Logger } from '@wakestone/kit/logger'

export type Locks = {
  /**
   * Takes a lock unless another worker, or this one, holds it.
   * @returns how to give it back; undefined when it is taken.
   * @throws Error while the database is away.
   */
  tryHold(name: string): Promise<(() => Promise<void>) | undefined>
  /** Calls back when the connection broke: every lock is lost. */
  onLost(listener: () => void): void
  close(): Promise<void>
}

export function createLocks({ url, logger }: { url: string; logger: Logger }): Locks {
  /** Locks held now, each with the mark of its holder. */
  const held = new Map<string, symbol>()
  const listeners = new Set<() => void>()
  let client: Promise<pg.Client> | undefined
  let closed = false
  /** A connection does one thing at a time. */
  let queue: Promise<unknown> = Promise.resolve()

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

  function ask(query: string, name: string): Promise<boolean> {
    const answer = queue.then(async () => {
      const { rows } = await (await connection()).query<{ done: boolean }>(query, [name])
      return rows[0]?.done === true
    })
    queue = answer.catch(() => undefined)
    return answer
  }

  async function release(name: string, mark: symbol): Promise<void> {
    if (held.get(name) !== mark) return // lost meanwhile, and perhaps held by somebody else by now
    await ask('select pg_advisory_unlock(hashtextextended($1, 0)) as done', name).catch(() => undefined) // lost just now
    if (held.get(name) === mark) held.delete(name)
  }

  return {
    async tryHold(name) {
      if (held.has(name)) return undefined
      const mark = Symbol(name)
      held.set(name, mark) // two callers of this process ask at once
      let isTaken = false
      try {
        isTaken = await ask('select pg_try_advisory_lock(hashtextextended($1, 0)) as done', name)
      } finally {
        if (!isTaken && held.get(name) === mark) held.delete(name)
      }
      return isTaken ? () => release(name, mark) : undefined
    },
    onLost: (listener) => void listeners.add(listener),
    async close() {
      closed = true
      await queue
      await (await client?.catch(() => undefined))?.end()
    },
  }
}
