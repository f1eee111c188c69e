import { sql } from 'kysely'
import type { Db } from '#src/db/client.ts'

/**
 * Pours one share into a subject's bucket, unless it would overflow.
 * @param shareSeconds what one request takes of the bucket, `bucketSeconds` all that it holds.
 * @returns seconds until the bucket has room; 0 when the request was let in.
 */
export async function pourInto(
  db: Db,
  { subject, shareSeconds, bucketSeconds }: { subject: string; shareSeconds: number; bucketSeconds: number },
): Promise<number> {
  const share = sql<Date>`make_interval(secs => ${shareSeconds})`
  const { rows } = await sql`
    insert into request_limits as bucket (subject, empty_at) values (${subject}, now() + ${share})
    on conflict (subject) do update set empty_at = greatest(bucket.empty_at, now()) + ${share}
    where greatest(bucket.empty_at, now()) + ${share} <= now() + make_interval(secs => ${bucketSeconds})
    returning 1`.execute(db)
  if (rows.length > 0) return 0
  const { rows: full } = await sql<{ wait: number }>`
    select extract(epoch from empty_at - now())::float8 + ${shareSeconds}::float8 - ${bucketSeconds}::float8 as wait
    from request_limits where subject = ${subject}`.execute(db)
  return Math.max(1, Math.ceil(full[0]?.wait ?? 1))
}

/** @returns seconds until a subject's bucket has room for one share; 0: it has. Pours nothing. */
export async function roomIn(
  db: Db,
  { subject, shareSeconds, bucketSeconds }: { subject: string; shareSeconds: number; bucketSeconds: number },
): Promise<number> {
  const { rows } = await sql<{ wait: number }>`
    select extract(epoch from empty_at - now())::float8 + ${shareSeconds}::float8 - ${bucketSeconds}::float8 as wait
    from request_limits where subject = ${subject}`.execute(db)
  return Math.max(0, Math.ceil(rows[0]?.wait ?? 0))
}

/** Takes one share out of a subject's bucket again. */
export async function takeOut(
  db: Db,
  { subject, shareSeconds }: { subject: string; shareSeconds: number },
): Promise<void> {
  const share = sql<Date>`make_interval(secs => ${shareSeconds})`
  await sql`update request_limits set empty_at = empty_at - ${share} where subject = ${subject}`.execute(db)
}

/** Drops a few buckets that have run empty: as many calls as fill them also clear them away. */
export async function dropEmptyBuckets(db: Db): Promise<void> {
  await sql`
    delete from request_limits where subject in (
      select subject from request_limits where empty_at < now() order by empty_at limit 2 for update skip locked
    )`.execute(db)
}
