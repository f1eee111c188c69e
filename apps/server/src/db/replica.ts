/**
 * Reads what may be some seconds old from a copy of the database, and from the database itself while that is away or too
 * far behind. What somebody has just written and looks for is never read so.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import type { Logger } from '@wakestone/kit/logger'
import { type Db, openDatabase } from './client.ts'

export type Replica = {
  /** Does work that only reads; `db` is the copy or the database itself. It may be done twice. */
  read<Result>(work: (db: Db) => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

const checkEachMilliseconds = 5_000
const checkMilliseconds = 2_000
const size = 4

export const noReplica = (db: Db): Replica => ({ read: (work) => work(db), close: async () => {} })

/** @param mostSeconds that it may be behind */
export function openReplica({
  url,
  db,
  mostSeconds,
  logger,
}: {
  url: string
  db: Db
  mostSeconds: number
  logger: Logger
}): Replica {
  const replica = openDatabase({
    url,
    size,
    onError: (error) => logger.info({ error }, 'a connection of the replica was lost'),
  })
  let checkedAt = Number.NEGATIVE_INFINITY
  let isGood = false
  let checking: Promise<void> | undefined

  const one = async <Row>(handle: Db, query: RawBuilder<Row>) => (await query.execute(handle)).rows[0]!

  async function check(): Promise<void> {
    const before = isGood
    let why = ''
    try {
      why = await Promise.race([
        findFault(),
        delay(checkMilliseconds, undefined, { ref: false }).then(() => 'it does not answer'),
      ])
    } catch (error) {
      why = (error as Error).message
    }
    isGood = why === ''
    checkedAt = performance.now()
    if (isGood && !before) logger.info('reports are read from the replica')
    if (!isGood && (before || checkedFirst)) logger.warn({ why }, 'reports are read from the database itself')
    checkedFirst = false
  }
  let checkedFirst = true

  async function findFault(): Promise<string> {
    const [now, then] = await Promise.all([
      one(db, sql<{ lsn: string }>`select pg_current_wal_lsn()::text as lsn`),
      one(
        replica.db,
        sql<{ isCopy: boolean; lsn: string | null; seconds: number | null }>`
          select pg_is_in_recovery() as "isCopy", pg_last_wal_replay_lsn()::text as lsn,
            extract(epoch from now() - pg_last_xact_replay_timestamp())::float8 as seconds`,
      ),
    ])
    if (!then.isCopy) return 'it is no replica'
    // Where nothing is written, nothing is behind, however long ago the last thing was.
    if (then.lsn === now.lsn) return ''
    return then.seconds !== null && then.seconds <= mostSeconds ? '' : `it is ${Math.round(then.seconds ?? 0)} s behind`
  }

  return {
    async read(work) {
      if (performance.now() - checkedAt > checkEachMilliseconds)
        await (checking ??= check().finally(() => (checking = undefined)))
      if (!isGood) return work(db)
      try {
        return await work(replica.db)
      } catch (error) {
        // It went away meanwhile, or had to give up the query for what it was to copy.
        isGood = false
        logger.warn({ error }, 'the replica did not answer a report; the database itself does')
        return work(db)
      }
    },
    close: () => replica.close(),
  }
}
