/** Operations as they stand in the database. */
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Operation, OperationKind } from '@wakestone/contract/servers/operations'
import type { Handle, Transaction } from '#src/db/client.ts'
import type { Operations } from '#src/db/types.gen.ts'
import { traceparent } from '#src/tracing.ts'

export type OperationRow = Selectable<Operations>
/** With what it is shown with. */
export type ShownRow = OperationRow & {
  executor_name: string | null
  took: number[] | null
  preparation_error: string | null
  retry_at: Date | null
}

export function insertOperation(
  trx: Transaction,
  row: {
    serverId: string
    kind: OperationKind
    exclusive: boolean
    input: object
    about: object
    userId: string | null
    /** Null: no worker takes it up. */
    dueAt: Date | null
  },
): Promise<{ id: string }> {
  return trx
    .insertInto('operations')
    .values({
      server_id: row.serverId,
      kind: row.kind,
      exclusive: row.exclusive,
      input: JSON.stringify(row.input),
      about: JSON.stringify(row.about),
      user_id: row.userId,
      due_at: row.dueAt,
      traceparent: traceparent() ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
}

export function findOpenExclusive(db: Handle, serverId: string): Promise<{ id: string; kind: string } | undefined> {
  return db
    .selectFrom('operations')
    .select(['id', 'kind'])
    .where('server_id', '=', serverId)
    .where('exclusive', '=', true)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
}

/** Those of a kind that are under way and do not go back yet; they stay so until the transaction ends. */
export function lockOpenOfKind(trx: Transaction, serverId: string, kind: OperationKind): Promise<OperationRow[]> {
  return trx
    .selectFrom('operations')
    .selectAll()
    .where('server_id', '=', serverId)
    .where('kind', '=', kind)
    .where('ended_at', 'is', null)
    .where('state', '<>', 'cancelling')
    .forUpdate()
    .execute()
}

export async function hasOpenOfKind(db: Handle, serverId: string, kind: OperationKind): Promise<boolean> {
  const open = await db
    .selectFrom('operations')
    .select('id')
    .where('server_id', '=', serverId)
    .where('kind', '=', kind)
    .where('ended_at', 'is', null)
    .where('state', '<>', 'cancelling')
    .executeTakeFirst()
  return open !== undefined
}

/** Seconds that the last three of some operations took, newest first. */
const lastThree = (
  which: RawBuilder<unknown>,
) => sql`(select array_agg(extract(epoch from ended_at - created_at)::float8 order by id desc)
  from (select id, ended_at, created_at from operations past
    where past.state = 'done' and past.kind = own.kind and past.id < own.id and ${which} order by id desc limit 3) last_three)`

const shown = (db: Handle) =>
  db
    .selectFrom('operations as own')
    .innerJoin('servers', 'servers.id', 'own.server_id')
    .leftJoin('users', 'users.id', 'own.user_id')
    .selectAll('own')
    .select([
      'users.username as executor_name',
      'servers.preparation_error',
      'servers.retry_at',
      sql<
        number[] | null
      >`case own.kind when 'prepare' then ${lastThree(sql`past.about->>'engine' = own.about->>'engine'`)}
        else ${lastThree(sql`past.server_id = own.server_id`)} end`.as('took'),
    ])

/** What is under way first, then the last ones. */
export async function selectOperations(db: Handle, serverId: string, limit: number): Promise<ShownRow[]> {
  return shown(db)
    .where('own.server_id', '=', serverId)
    .orderBy(sql`own.ended_at is null desc`)
    .orderBy('own.id', 'desc')
    .limit(limit)
    .execute()
}

export async function findOperation(db: Handle, serverId: string, id: string): Promise<ShownRow | undefined> {
  return shown(db).where('own.server_id', '=', serverId).where('own.id', '=', id).executeTakeFirst()
}

export async function findUser(db: Handle, id: string): Promise<string | null | undefined> {
  return (await db.selectFrom('operations').select('user_id').where('id', '=', id).executeTakeFirst())?.user_id
}

/** Those that are under way, and those that have ended within some seconds. */
export async function selectRecentOperations(db: Handle, serverId: string, seconds: number): Promise<ShownRow[]> {
  return shown(db)
    .where('own.server_id', '=', serverId)
    .where((row) =>
      row.or([row('ended_at', 'is', null), row('ended_at', '>', sql<Date>`now() - ${seconds} * interval '1 second'`)]),
    )
    .orderBy('own.id')
    .execute()
}

/** Whether a worker is at something of a server. */
export async function hasOperationUnderWay(db: Handle, serverId: string): Promise<boolean> {
  const operation = await db
    .selectFrom('operations')
    .select('id')
    .where('server_id', '=', serverId)
    .where('ended_at', 'is', null)
    .where('state', '<>', 'queued')
    // Players keep the game awake during a countdown, which ends once they leave.
    .where('kind', '<>', 'countdown')
    .limit(1)
    .executeTakeFirst()
  return operation !== undefined
}

/** @returns the operation as it stays until the transaction ends. */
export function lockOperation(trx: Transaction, serverId: string, id: string): Promise<OperationRow | undefined> {
  return trx
    .selectFrom('operations')
    .selectAll()
    .where('server_id', '=', serverId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

export async function writeCancelling(trx: Transaction, id: string): Promise<void> {
  await trx.updateTable('operations').set({ state: 'cancelling', due_at: new Date() }).where('id', '=', id).execute()
}

/** Operations that somebody should be at. */
export async function selectDueOperations(db: Handle): Promise<{ id: string; kind: string }[]> {
  return db
    .selectFrom('operations')
    .select(['id', 'kind'])
    .where('ended_at', 'is', null)
    .where('due_at', '<=', new Date())
    .orderBy('due_at')
    .limit(200)
    .execute()
}

/** Takes an operation up: whoever had it before writes nothing any more. @returns undefined when it is over or not due. */
export function takeOperation(db: Handle, id: string): Promise<OperationRow | undefined> {
  return db
    .updateTable('operations')
    .set((row) => ({
      attempt: row('attempt', '+', 1),
      state: row.case().when('state', '=', 'queued').then('running').else(row.ref('state')).end(),
    }))
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .where('due_at', '<=', new Date())
    .returningAll()
    .executeTakeFirst()
}

export type Mark = Pick<OperationRow, 'id' | 'attempt'>

/** Undefined when another worker has it. */
export function findMarked(db: Handle, { id, attempt }: Mark): Promise<OperationRow | undefined> {
  return db
    .selectFrom('operations')
    .selectAll()
    .where('id', '=', id)
    .where('attempt', '=', attempt)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
}

/** As `findMarked`; it stays so until the transaction ends. */
export function lockMarked(trx: Transaction, { id, attempt }: Mark): Promise<OperationRow | undefined> {
  return trx
    .selectFrom('operations')
    .selectAll()
    .where('id', '=', id)
    .where('attempt', '=', attempt)
    .where('ended_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
}

export async function writePhase(
  trx: Transaction,
  id: string,
  { phase, progress }: { phase: string; progress: number },
): Promise<void> {
  await trx
    .updateTable('operations')
    .set({ phase, phase_since: new Date(), progress, item: null, figures: null, tries: 0 })
    .where('id', '=', id)
    .execute()
}

export type Progress = { progress: number; item: string | null; figures: Operation['figures'] }

export async function writeProgress(
  db: Handle,
  { id, attempt }: Mark,
  { progress, item, figures }: Progress,
): Promise<void> {
  await db
    .updateTable('operations')
    .set({ progress, item, figures: figures === null ? null : JSON.stringify(figures) })
    .where('id', '=', id)
    .where('attempt', '=', attempt)
    .where('state', '=', 'running')
    .execute()
}

export async function writeNotes(trx: Transaction, id: string, notes: object): Promise<void> {
  await sql`update operations set notes = notes || ${JSON.stringify(notes)}::jsonb where id = ${id}`.execute(trx)
}

export type OperationError = { code: string; fields?: Record<string, unknown> }

/** It goes back. */
export async function writeGoingBack(trx: Transaction, id: string, error: OperationError): Promise<void> {
  await trx
    .updateTable('operations')
    .set({ state: 'cancelling', error: JSON.stringify(error), can_cancel: false, tries: 0, item: null, figures: null })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .execute()
}

/** What has failed is tried again later. */
export async function writeRetry(db: Handle, { id, attempt }: Mark, milliseconds: number): Promise<void> {
  await db
    .updateTable('operations')
    .set((row) => ({ tries: row('tries', '+', 1), due_at: new Date(Date.now() + milliseconds) }))
    .where('id', '=', id)
    .where('attempt', '=', attempt)
    .execute()
}

export async function writeEnded(
  trx: Transaction,
  id: string,
  { state, progress }: { state: string; progress: number | null },
): Promise<void> {
  await trx
    .updateTable('operations')
    .set({ state, progress, item: null, figures: null, can_cancel: false, ended_at: new Date() })
    .where('id', '=', id)
    .execute()
}

/** Whether the game has to be down, whatever else is wanted of it. */
export async function writeHold(trx: Transaction, serverId: string, hold: 'down' | null): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('servers')
    .set({ hold })
    .where('id', '=', serverId)
    .where('hold', 'is distinct from', hold)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** It cannot be taken back. */
export async function forbidCancel(trx: Transaction, id: string): Promise<void> {
  await trx.updateTable('operations').set({ can_cancel: false }).where('id', '=', id).execute()
}

/** It goes back no more. @returns false where it is going back already */
export async function settleOperation(trx: Transaction, id: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('operations')
    .set({ can_cancel: false })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function writePreparation(
  db: Handle,
  serverId: string,
  { phase, progress, item }: { phase: string; progress: number; item: string | null },
): Promise<void> {
  await sql`update operations set state = 'running', phase = ${phase}, progress = greatest(progress, ${progress}::real),
      item = ${item}, tries = 0, attempt = greatest(attempt, 1), ended_at = null,
      phase_since = case when phase is distinct from ${phase} then now() else phase_since end
    where server_id = ${serverId} and kind = 'prepare'
      and (ended_at is null or state = 'cancelled' and ${isToBePrepared})
      and (state, phase, progress, item, tries) is distinct from
      ('running', ${phase}, greatest(progress, ${progress}::real), ${item}::text, 0)`.execute(db)
}

export async function countTrouble(db: Handle, serverId: string): Promise<void> {
  await sql`update operations set tries = tries + 1
    where server_id = ${serverId} and kind = 'prepare' and ended_at is null`.execute(db)
}

/** @returns what has ended; undefined when there was no preparation under way. */
export function endPreparation(
  trx: Transaction,
  serverId: string,
  error: OperationError | null,
): Promise<OperationRow | undefined> {
  return trx
    .updateTable('operations')
    .set((row) => ({
      state: error === null ? 'done' : 'failed',
      progress: error === null ? 1 : row.ref('progress'),
      item: null,
      error: error === null ? null : JSON.stringify(error),
      ended_at: new Date(),
    }))
    .where('server_id', '=', serverId)
    .where('kind', '=', 'prepare')
    .where('ended_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
}

/** A server that is gone is prepared no more, nor is one whose time is over; that one goes on when it is renewed. */
export async function endVainPreparations(db: Handle): Promise<void> {
  await sql`update operations set state = 'cancelled', item = null, ended_at = now()
    where kind = 'prepare' and ended_at is null and not ${isToBePrepared}`.execute(db)
}

const isToBePrepared = sql`exists (
  select from servers join services on services.id = servers.service_id
  where servers.id = operations.server_id and servers.prepared_at is null and servers.deleted_at is null
    and (services.expires is null or services.expires > now()))`
