/** Crashes at exact moments: a process of the product, seen from its database, ends right after a statement. */
import { EventEmitter } from 'node:events'
import type pg from 'pg'
import { isLong } from './long.ts'
import { createRandom, seedOf } from './random.ts'

type Query = (...given: unknown[]) => unknown
type Plan = { statement: number; count: number; isOver: boolean }

/**
 * Watches all statements of a pool. From the moment of a planned crash on nothing more reaches the database and all
 * connections are gone, until the crash is over.
 */
export function createCrashes(pool: pg.Pool) {
  let plan: Plan | undefined
  const lives = new Set<pg.PoolClient>()
  let ends: Promise<void>[] = []
  const dead = () => Object.assign(new Error('the process has ended'), { code: 'ECONNRESET' })

  function watch(client: pg.PoolClient) {
    if (lives.has(client)) return
    lives.add(client)
    client.once('end', () => lives.delete(client))
    const send = client.query.bind(client) as Query
    const query: Query = (...given) => {
      if (plan === undefined) return send(...given)
      const callback = given.findLast((one) => typeof one === 'function') as ((error: Error) => void) | undefined
      const refuse = () => {
        if (callback === undefined) return Promise.reject(dead())
        queueMicrotask(() => callback(dead()))
        return new EventEmitter()
      }
      if (plan.isOver) return refuse()
      plan.count++
      if (plan.count < plan.statement) return send(...given)
      const crashing = plan
      if (callback !== undefined) {
        const more = given.map((one) => (one === callback ? () => (crash(crashing), callback(dead())) : one))
        return send(...more)
      }
      return (send(...given) as Promise<unknown>).finally(() => crash(crashing)).then(() => Promise.reject(dead()))
    }
    Object.assign(client, { query })
  }

  function crash(crashing: Plan) {
    crashing.isOver = true
    for (const client of lives) {
      const { connection } = client as unknown as { connection: { stream: { destroy(): void } } }
      ends.push(new Promise<void>((resolve) => client.once('end', resolve)))
      connection.stream.destroy()
    }
  }

  pool.on('acquire', watch)
  return {
    /** Plans a crash after the statement of this number, counted from now: done, but its answer never comes. */
    plan(statement: number) {
      plan = { statement, count: 0, isOver: false }
    },
    /** Whether the planned one has happened. */
    hasCrashed: () => plan?.isOver === true,
    /** The process is there again, with connections of its own. @returns whether it had crashed. */
    async recover(): Promise<boolean> {
      const had = plan?.isOver === true
      await Promise.all(ends)
      ends = []
      plan = undefined
      return had
    },
  }
}
export type Crashes = ReturnType<typeof createCrashes>

/** Of so many statements one, with a crash after it, does for a while; all of them are for `npm run test:long`. */
const stride = isLong ? 1 : 12

/**
 * Tries something once for each statement after which the process may end while it does so, and then again, as whoever
 * asked for it would, until nothing is in its way. `npm test` tries every twelfth, beginning with one of the first
 * twelve (`CRASH_SEED`).
 * @param prepare makes what `act` works on; `act` must be one that may be repeated; `check` looks at what came of it.
 * @returns how many moments there are, to the stride.
 */
export async function crashEverywhere<State>(
  crashes: Crashes,
  given: {
    prepare: () => Promise<State>
    act: (state: State) => Promise<unknown>
    check: (state: State, moment: string) => Promise<void>
  },
): Promise<number> {
  const first = 1 + Math.floor(createRandom(seedOf('CRASH_SEED')).next() * stride)
  for (let statement = first; ; statement += stride) {
    const state = await given.prepare()
    crashes.plan(statement)
    await given.act(state).catch(() => undefined)
    if (!(await crashes.recover())) return statement - 1
    await given.act(state)
    await given.check(state, `after statement ${statement}`)
  }
}
