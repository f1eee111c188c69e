import { sql } from 'kysely'
import type { AuditAction } from '@wakestone/contract/ground/event'
import type { DeliveryFault, WebhookDelivery } from '@wakestone/contract/ground/webhooks'
import type { Db, Handle, Transaction } from '#src/db/client.ts'
import { deleteOldest } from '#src/db/delete-oldest.ts'

type Scope = 'own' | 'all'
type Pause = 'owner' | 'gone' | 'failing'

const shown = [
  'id',
  'user_id',
  'scope',
  'url',
  'actions',
  'secret_number',
  'secret_before_until',
  'paused_for',
  'failing_since',
  'created_at',
] as const

const webhooksOf = (db: Handle, userId: string) =>
  db.selectFrom('event_webhooks').select(shown).where('user_id', '=', userId).orderBy('id')

export type WebhookRow = Awaited<ReturnType<typeof selectWebhooks>>[number]

export const selectWebhooks = (db: Handle, userId: string) => webhooksOf(db, userId).execute()

export const findWebhook = (db: Handle, userId: string, id: string) =>
  webhooksOf(db, userId).where('id', '=', id).executeTakeFirst()

/** @returns undefined where the address is told already. */
export function insertWebhook(
  trx: Transaction,
  { userId, scope, url, actions }: { userId: string; scope: Scope; url: string; actions: string[] },
): Promise<WebhookRow | undefined> {
  return trx
    .insertInto('event_webhooks')
    .values({ user_id: userId, scope, url, actions })
    .onConflict((conflict) => conflict.doNothing())
    .returning(shown)
    .executeTakeFirst()
}

type Change = {
  url?: string
  actions?: string[]
  paused_for?: Pause | null
  failing_since?: null
}

/** @returns undefined where there is none. @throws Error of PostgreSQL where the address is told by another already */
export function updateWebhook(trx: Transaction, { userId, id }: { userId: string; id: string }, change: Change) {
  return trx
    .updateTable('event_webhooks')
    .set(change)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returning(shown)
    .executeTakeFirst()
}

/** What is told now is signed by a new secret, and until `beforeUntil` by the one before as well. */
export function renewSecret(
  db: Handle,
  { userId, id, beforeUntil }: { userId: string; id: string; beforeUntil: Date },
): Promise<WebhookRow | undefined> {
  return db
    .updateTable('event_webhooks')
    .set((row) => ({ secret_number: row('secret_number', '+', 1), secret_before_until: beforeUntil }))
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returning(shown)
    .executeTakeFirst()
}

export async function deleteWebhooksOf(trx: Transaction, userId: string): Promise<void> {
  await trx.deleteFrom('event_webhooks').where('user_id', '=', userId).execute()
}

export async function deleteWebhook(trx: Transaction, userId: string, id: string): Promise<WebhookRow | undefined> {
  return trx
    .deleteFrom('event_webhooks')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returning(shown)
    .executeTakeFirst()
}

/** For every webhook that wants to hear of it, of whoever may see it now. */
export async function queueEvent(
  trx: Transaction,
  event: { id: string; resourceType: 'user' | 'server'; resourceId: string; action: AuditAction },
): Promise<void> {
  const owner =
    event.resourceType === 'user'
      ? sql`${event.resourceId}::uuid`
      : sql`(select owner_id from servers where id = ${event.resourceId}::uuid)`
  await sql`
    insert into event_webhook_deliveries (webhook_id, event_id)
    select webhook.id, ${event.id}::uuid from event_webhooks webhook
    where paused_for is null and (cardinality(actions) = 0 or ${event.action} = any (actions)) and case scope
      when 'own' then user_id = ${owner}
      else exists (select from held_capabilities held where held.user_id = webhook.user_id and held.name = 'admin'
        and held.value not in ('false', '0', '""'))
    end`.execute(trx)
}

export async function queuePing(trx: Transaction, webhookId: string): Promise<void> {
  await trx.insertInto('event_webhook_deliveries').values({ webhook_id: webhookId }).execute()
}

export type Due = {
  id: string
  event_id: string | null
  created_at: Date
  /** This one included. */
  tries: number
  webhook_id: string
  user_id: string
  url: string
  secret_number: number
  secret_before_until: Date | null
  failing_since: Date | null
}

/** Takes some of what is due; nobody else gets it until `claimSeconds` have passed. What is paused waits. */
export async function claimDue(
  db: Db,
  { limit, claimSeconds }: { limit: number; claimSeconds: number },
): Promise<Due[]> {
  const { rows } = await sql<Due>`
    update event_webhook_deliveries delivery
    set tries = tries + 1, next_at = now() + make_interval(secs => ${claimSeconds})
    from event_webhooks webhook
    where webhook.id = delivery.webhook_id and delivery.id in (
      select waiting.id from event_webhook_deliveries waiting join event_webhooks of on of.id = waiting.webhook_id
      where waiting.state = 'pending' and waiting.next_at <= now() and of.paused_for is null
      order by waiting.next_at limit ${limit} for update of waiting skip locked)
    returning delivery.id, delivery.event_id, delivery.created_at, delivery.tries, webhook.id as webhook_id, webhook.user_id, webhook.url,
      webhook.secret_number, webhook.secret_before_until, webhook.failing_since`.execute(db)
  return rows
}

/** How a try went. `seconds`: until the next one; undefined where there is none. */
export type Outcome = {
  isTaken: boolean
  status: number | null
  error: DeliveryFault | null
  milliseconds: number
  seconds: number | undefined
}

export async function noteOutcome(
  trx: Transaction,
  { id, webhook_id: webhookId }: Pick<Due, 'id' | 'webhook_id'>,
  { isTaken, status, error, milliseconds, seconds }: Outcome,
): Promise<void> {
  const over = { state: isTaken ? 'delivered' : 'failed', done_at: new Date() }
  await trx
    .updateTable('event_webhook_deliveries')
    .set({
      status,
      error,
      milliseconds,
      ...(seconds === undefined ? over : { next_at: sql<Date>`now() + make_interval(secs => ${seconds})` }),
    })
    .where('id', '=', id)
    .execute()
  await trx
    .updateTable('event_webhooks')
    .set({ failing_since: isTaken ? null : new Date() })
    .where('id', '=', webhookId)
    .where('failing_since', isTaken ? 'is not' : 'is', null)
    .execute()
}

/** Nothing more is told. @returns whether something was until now */
export async function stopWebhook(trx: Transaction, id: string, pausedFor: Pause): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('event_webhooks')
    .set({ paused_for: pausedFor })
    .where('id', '=', id)
    .where('paused_for', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Newest first, with the events that they tell of, as far as these are kept. */
export async function selectDeliveries(
  db: Handle,
  webhookId: string,
  { after, state, limit }: { after?: string | undefined; state?: WebhookDelivery['state'] | undefined; limit: number },
) {
  let query = db
    .selectFrom('event_webhook_deliveries as delivery')
    .leftJoin('audit_events as event', 'event.id', 'delivery.event_id')
    .select([
      'delivery.id',
      'delivery.state',
      'tries',
      'status',
      'delivery.error',
      'milliseconds',
      'next_at',
      'done_at',
    ])
    .select(['delivery.created_at', 'event.id as event_id', 'event.action', 'event.resource_id'])
    .where('webhook_id', '=', webhookId)
    .orderBy('delivery.id', 'desc')
    .limit(limit)
  if (after !== undefined) query = query.where('delivery.id', '<', after)
  if (state !== undefined) query = query.where('delivery.state', '=', state)
  return query.execute()
}

const asNew = {
  state: 'pending',
  tries: 0,
  done_at: null,
  error: null,
  status: null,
  next_at: sql<Date>`now()`,
} as const

/** @returns whether there was such a message, which is over. */
export async function replay(trx: Transaction, webhookId: string, id: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('event_webhook_deliveries')
    .set(asNew)
    .where('webhook_id', '=', webhookId)
    .where('id', '=', id)
    .where('done_at', 'is not', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function replayFailed(trx: Transaction, webhookId: string, since: Date): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('event_webhook_deliveries')
    .set(asNew)
    .where('webhook_id', '=', webhookId)
    .where('state', '=', 'failed')
    .where('created_at', '>=', since)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Has who delivers look at once: what is there already was not written now. */
export async function wakeDeliveries(trx: Transaction): Promise<void> {
  await sql`select pg_notify('event_webhook_deliveries', '')`.execute(trx)
}

export const dropMessagesBefore = (db: Handle, before: Date, limit: number): Promise<number> =>
  deleteOldest(db, 'event_webhook_deliveries', { before, limit })
