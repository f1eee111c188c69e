import { sql } from 'kysely'
import type { ScheduledAction } from '@wakestone/contract/sales/service-change'
import type { Handle, Transaction } from '#src/db/client.ts'

export type NewChange = {
  serviceId: string
  kind: 'upgrade' | 'downgrade' | 'add' | 'remove' | 'withdraw'
  key: string
  requestHash: Buffer
  executorId: string | null
  productBefore: string | null
  productAfter: string | null
  addOnId: string | null
  expires: Date | null
  currency: string
  /** Gross; minus was given back. */
  amount: number
  transactionIds: string[]
  /** The buyer asked for it to begin before the time for a withdrawal is over. */
  immediate?: boolean
  at: Date
}

export async function insertChange(trx: Transaction, change: NewChange): Promise<void> {
  await trx
    .insertInto('service_changes')
    .values({
      service_id: change.serviceId,
      kind: change.kind,
      key: change.key,
      request_hash: change.requestHash,
      executor_id: change.executorId,
      product_before: change.productBefore,
      product_after: change.productAfter,
      add_on_id: change.addOnId,
      expires: change.expires,
      currency: change.currency,
      amount: change.amount,
      transaction_ids: change.transactionIds,
      immediate: change.immediate ?? false,
      at: change.at,
    })
    .execute()
}

/** What a key was used for. */
export function findChange(db: Handle, serviceId: string, key: string) {
  return db
    .selectFrom('service_changes')
    .select(['request_hash', 'product_after', 'add_on_id', 'expires', 'currency', 'amount'])
    .where('service_id', '=', serviceId)
    .where('key', '=', key)
    .executeTakeFirst()
}

/** Changes of a service since a moment, the latest first, as far as nobody has withdrawn from them. */
export function selectChangesSince(db: Handle, serviceId: string, since: Date) {
  return db
    .selectFrom('service_changes')
    .selectAll()
    .where('service_id', '=', serviceId)
    .where('kind', '<>', 'withdraw')
    .where('at', '>=', since)
    .where((row) =>
      row.not(
        row.exists(
          row
            .selectFrom('withdrawals')
            .select('withdrawals.id')
            .whereRef('withdrawals.change_id', '=', 'service_changes.id')
            .where('withdrawals.confirmed_at', 'is not', null),
        ),
      ),
    )
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}
export type ChangeRow = Awaited<ReturnType<typeof selectChangesSince>>[number]

/** When a service last became less: a smaller plan, or an add-on fewer. */
export async function findLastDowngrade(db: Handle, serviceId: string): Promise<Date | undefined> {
  const row = await db
    .selectFrom('service_changes')
    .select('at')
    .where('service_id', '=', serviceId)
    .where('kind', 'in', ['downgrade', 'remove'])
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.at
}

export async function insertAction(
  trx: Transaction,
  action: {
    serviceId: string
    action: ScheduledAction['action']
    date: Date
    details: ScheduledAction['details']
    executorId: string
  },
) {
  return trx
    .insertInto('scheduled_actions')
    .values({
      service_id: action.serviceId,
      action: action.action,
      date: action.date,
      details: JSON.stringify(action.details),
      executor_id: action.executorId,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}
export type ActionRow = Awaited<ReturnType<typeof insertAction>>

/** What is still to be done, soonest first. */
export function selectActions(db: Handle, serviceId: string): Promise<ActionRow[]> {
  return db
    .selectFrom('scheduled_actions')
    .selectAll()
    .where('service_id', '=', serviceId)
    .where('done', '=', false)
    .where('deleted_at', 'is', null)
    .orderBy('date')
    .orderBy('id')
    .execute()
}

export function selectDueActions(db: Handle, now: Date): Promise<ActionRow[]> {
  return db
    .selectFrom('scheduled_actions')
    .selectAll()
    .where('done', '=', false)
    .where('deleted_at', 'is', null)
    .where('date', '<=', now)
    .orderBy('date')
    .orderBy('id')
    .execute()
}

/** Takes back what was planned. @returns whether there was anything. */
export async function deleteAction(
  trx: Transaction,
  { serviceId, action, now }: { serviceId: string; action: ScheduledAction['action']; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('scheduled_actions')
    .set({ deleted_at: now })
    .where('service_id', '=', serviceId)
    .where('action', '=', action)
    .where('done', '=', false)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** What waits for the end of a service, and is not paid for, is due with another end. */
export async function moveActions(trx: Transaction, serviceId: string, to: { date: Date; now: Date }): Promise<void> {
  await sql`update scheduled_actions set date = ${to.date} where service_id = ${serviceId} and date > ${to.now}
    and not done and deleted_at is null and not details @> '{"renewed": true}'`.execute(trx)
}

export async function moveAction(trx: Transaction, id: string, date: Date): Promise<void> {
  await trx.updateTable('scheduled_actions').set({ date }).where('id', '=', id).execute()
}

/** A planned change is not paid for any more where nothing of the time after it is left. */
export async function markUnpaid(trx: Transaction, serviceId: string, expires: Date): Promise<void> {
  await sql`update scheduled_actions set details = details - 'renewed'
    where service_id = ${serviceId} and action = 'CHANGE_PRODUCT' and date >= ${expires}
      and not done and deleted_at is null`.execute(trx)
}

/** A planned change is paid for from here on. */
export async function markRenewed(trx: Transaction, serviceId: string): Promise<void> {
  await sql`update scheduled_actions set details = details || '{"renewed": true}'
    where service_id = ${serviceId} and action = 'CHANGE_PRODUCT' and not done and deleted_at is null`.execute(trx)
}

/** A cancellation that is taken back does not bring automatic renewal back any more. */
export async function forgetRenewal(trx: Transaction, serviceId: string): Promise<void> {
  await sql`update scheduled_actions set details = details - 'auto_renew'
    where service_id = ${serviceId} and action = 'CANCEL_SERVICE' and not done and deleted_at is null`.execute(trx)
}

export async function endAction(
  trx: Transaction,
  id: string,
  { now, failed = false }: { now: Date; failed?: boolean },
): Promise<void> {
  await sql`update scheduled_actions set done = true, last_run = ${now},
    details = case when ${failed}::boolean then details || '{"failed": true}' else details end where id = ${id}`.execute(
    trx,
  )
}
