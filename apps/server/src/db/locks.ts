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
  /** Holds a lock beside others who hold it so too. @returns how to give it back */
  join(name: string): Promise<() => Promise<void>>
  /** By how many each of these is held, this worker included; those that nobody holds are left out. */
  countHolders(names: readonly string[]): Promise<Map<string, number>>
  /** Calls back when the connection broke: every lock is lost. */
  onLost(listener: () => void): void
  close(): Promise<void>
}

/** A lock of one number is told as its two halves. */
const holdersQuery = `select asked.name, count(distinct lock.pid)::int as holders
  from pg_locks lock
  join (select name, hashtextextended(name, 0) as key from unnest($1::text[]) as name) asked
    on (lock.classid::bigint << 32 | lock.objid::bigint) = asked.key
  where lock.locktype = 'advisory' and lock.objsubid = 1 and lock.granted
    and lock.database = (select oid from pg_database where datname = current_database())
  group by 1`

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

  function query<Row extends pg.QueryResultRow>(text: string, values: unknown[]): Promise<Row[]> {
    const answer = queue.then(async () => (await (await connection()).query<Row>(text, values)).rows)
    queue = answer.catch(() => undefined)
    return answer
  }

  async function ask(text: string, name: string): Promise<boolean> {
    const [row] = await query<{ done: boolean }>(text, [name])
    return row?.done === true
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
    async join(name) {
      await ask('select pg_try_advisory_lock_shared(hashtextextended($1, 0)) as done', name)
      return async () => {
        const leave = 'select pg_advisory_unlock_shared(hashtextextended($1, 0)) as done'
        await ask(leave, name).catch(() => undefined) // the connection was lost, and the lock with it
      }
    },
    async countHolders(names) {
      const rows = await query<{ name: string; holders: number }>(holdersQuery, [names])
      return new Map(rows.map(({ name, holders }) => [name, holders]))
    },
    onLost: (listener) => void listeners.add(listener),
    async close() {
      closed = true
      await queue
      await (await client?.catch(() => undefined))?.end()
    },
  }
}
