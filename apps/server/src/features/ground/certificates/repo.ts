import { type Selectable, sql } from 'kysely'
import type { Handle } from '#src/db/client.ts'
import type { AcmeAccounts, Certificates } from '#src/db/types.gen.ts'

export type CertificateRow = Selectable<Certificates>

/** Of the host itself, before one for all names of its domain. */
export function findCertificateFor(db: Handle, names: readonly string[]): Promise<CertificateRow | undefined> {
  return db
    .selectFrom('certificates')
    .selectAll()
    .where('name', 'in', names)
    .where('chain', 'is not', null)
    .where('not_after', '>', sql<Date>`now()`)
    .orderBy(sql`name like '*%'`)
    .limit(1)
    .executeTakeFirst()
}

export function findCertificate(db: Handle, name: string): Promise<CertificateRow | undefined> {
  return db.selectFrom('certificates').selectAll().where('name', '=', name).executeTakeFirst()
}

export function listCertificates(db: Handle): Promise<CertificateRow[]> {
  return db.selectFrom('certificates').selectAll().orderBy('name').execute()
}

/** Names that are needed; those that are there already stay as they are. */
export async function addWanted(db: Handle, names: readonly string[]): Promise<void> {
  if (names.length === 0) return
  await db
    .insertInto('certificates')
    .values(names.map((name) => ({ name })))
    .onConflict((row) =>
      row
        .column('name')
        .doUpdateSet({ unwanted_since: null, next_attempt_at: sql`now()` })
        .where('certificates.unwanted_since', 'is not', null),
    )
    .execute()
}

/** Notes that nobody needs others than these any more. @param keptDays for which they are kept, should they come again */
export async function markUnwanted(db: Handle, wanted: readonly string[], keptDays: number): Promise<void> {
  await db
    .updateTable('certificates')
    .set({ unwanted_since: sql`now()` })
    .where('unwanted_since', 'is', null)
    .where((row) => row.not(row('name', '=', row.fn.any(sql<string[]>`${[...wanted]}::text[]`))))
    .execute()
  await db
    .deleteFrom('certificates')
    .where('unwanted_since', '<', sql<Date>`now() - ${keptDays} * interval '1 day'`)
    .execute()
}

/** One that is due, for this worker alone as long as the lease lasts. */
export async function takeDue(db: Handle, leaseSeconds: number): Promise<CertificateRow | undefined> {
  const { rows } = await sql<CertificateRow>`
    update certificates set next_attempt_at = now() + ${leaseSeconds} * interval '1 second'
    where name = (
      select name from certificates where unwanted_since is null and next_attempt_at <= now()
      order by next_attempt_at limit 1 for update skip locked
    )
    returning *`.execute(db)
  return rows[0]
}

export async function writeIssued(
  db: Handle,
  name: string,
  issued: { chain: string; key: Buffer; notAfter: Date; renewAt: Date },
): Promise<void> {
  await db
    .updateTable('certificates')
    .set({
      chain: issued.chain,
      key: issued.key,
      not_after: issued.notAfter,
      next_attempt_at: issued.renewAt,
      attempts: 0,
      last_error: null,
    })
    .where('name', '=', name)
    .execute()
}

export async function writeFailed(db: Handle, name: string, error: string, againInSeconds: number): Promise<void> {
  await db
    .updateTable('certificates')
    .set({
      last_error: error,
      attempts: sql`attempts + 1`,
      next_attempt_at: sql`now() + ${againInSeconds} * interval '1 second'`,
    })
    .where('name', '=', name)
    .execute()
}

export function findAccount(db: Handle, directoryUrl: string): Promise<Selectable<AcmeAccounts> | undefined> {
  return db.selectFrom('acme_accounts').selectAll().where('directory_url', '=', directoryUrl).executeTakeFirst()
}

/** The first one stays where two are made at once. */
export async function addAccount(db: Handle, directoryUrl: string, key: Buffer): Promise<void> {
  await db
    .insertInto('acme_accounts')
    .values({ directory_url: directoryUrl, key })
    .onConflict((row) => row.doNothing())
    .execute()
}

export async function writeAccountUrl(db: Handle, directoryUrl: string, accountUrl: string): Promise<void> {
  await db
    .updateTable('acme_accounts')
    .set({ account_url: accountUrl })
    .where('directory_url', '=', directoryUrl)
    .execute()
}

export async function writeAnswer(db: Handle, token: string, answer: string): Promise<void> {
  await db
    .insertInto('acme_answers')
    .values({ token, answer })
    .onConflict((row) => row.column('token').doUpdateSet({ answer }))
    .execute()
  await db
    .deleteFrom('acme_answers')
    .where('created_at', '<', sql<Date>`now() - interval '1 day'`)
    .execute()
}

export async function deleteAnswer(db: Handle, token: string): Promise<void> {
  await db.deleteFrom('acme_answers').where('token', '=', token).execute()
}

export async function findAnswer(db: Handle, token: string): Promise<string | undefined> {
  const row = await db.selectFrom('acme_answers').select('answer').where('token', '=', token).executeTakeFirst()
  return row?.answer
}
