import { sql, type Selectable } from 'kysely'
import type { Language } from '@wakestone/contract/primitives'
import type { Handle, Transaction } from '#src/db/client.ts'
import type { NewsletterSubscriptions } from '#src/db/types.gen.ts'

export type Subscription = Selectable<NewsletterSubscriptions>
/** Whoever has confirmed, and not withdrawn since. */
export const isSubscribed = (row: Subscription) => row.confirmed_at !== null && row.withdrawn_at === null

export type Consent = {
  subscriptionId: string
  action: 'requested' | 'confirmed' | 'withdrawn'
  source: 'form' | 'mail' | 'registration' | 'account'
  userId: string | null
  termsVersion: string
  address: string
}

/** Notes that somebody asked: a new link is due, unless they get the newsletter already. */
export async function requestSubscription(
  trx: Transaction,
  { email, language }: { email: string; language: Language },
): Promise<Subscription> {
  const { rows } = await sql<Subscription>`
    insert into newsletter_subscriptions as known (email, language) values (${email}, ${language})
    on conflict (lower(email)) do update set
      (language, request_id, requested_at) = (
        select case when subscribed then known.language else excluded.language end,
               case when subscribed then known.request_id else uuidv7() end,
               case when subscribed then known.requested_at else now() end
        from (select known.confirmed_at is not null and known.withdrawn_at is null as subscribed) as state
      )
    returning *`.execute(trx)
  const [row] = rows
  if (row === undefined) throw new Error('a subscription was neither made nor found')
  return row
}

export function findSubscription(db: Handle, id: string): Promise<Subscription | undefined> {
  return db.selectFrom('newsletter_subscriptions').selectAll().where('id', '=', id).executeTakeFirst()
}

export function findSubscriptionOf(db: Handle, email: string): Promise<Subscription | undefined> {
  return db
    .selectFrom('newsletter_subscriptions')
    .selectAll()
    .where((row) => row(row.fn<string>('lower', ['email']), '=', email.toLowerCase()))
    .executeTakeFirst()
}

/** @returns false when somebody confirmed this very request first, or asked anew meanwhile. */
export async function markConfirmed(trx: Transaction, { id, requestId }: { id: string; requestId: string }) {
  const result = await trx
    .updateTable('newsletter_subscriptions')
    .set({ confirmed_at: sql<Date>`now()`, withdrawn_at: null })
    .where('id', '=', id)
    .where('request_id', '=', requestId)
    .where((row) => row.or([row('confirmed_at', 'is', null), row('confirmed_at', '<', row.ref('requested_at'))]))
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** @returns false when it was withdrawn before. */
export async function markWithdrawn(trx: Transaction, id: string): Promise<boolean> {
  const result = await trx
    .updateTable('newsletter_subscriptions')
    .set({ withdrawn_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('withdrawn_at', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** A subscription goes on at another address, which must have none. */
export async function changeAddress(trx: Transaction, id: string, email: string): Promise<void> {
  await trx.updateTable('newsletter_subscriptions').set({ email }).where('id', '=', id).execute()
}

export async function insertConsent(trx: Transaction, consent: Consent): Promise<void> {
  await trx
    .insertInto('newsletter_consents')
    .values({
      subscription_id: consent.subscriptionId,
      action: consent.action,
      source: consent.source,
      user_id: consent.userId,
      terms_version: consent.termsVersion,
      address: consent.address,
    })
    .execute()
}

/** Every step that a user took, signed in or by mail to the address that is theirs and proved; newest first. */
export function selectConsentsOf(db: Handle, userId: string) {
  return db
    .selectFrom('newsletter_consents as consent')
    .innerJoin('newsletter_subscriptions as subscription', 'subscription.id', 'consent.subscription_id')
    .innerJoin('users as reader', (join) => join.on('reader.id', '=', userId))
    .select(['consent.id', 'consent.action', 'consent.source', 'consent.terms_version', 'consent.at'])
    .where((row) =>
      row.or([
        row('consent.user_id', '=', userId),
        row.and([
          row(row.fn<string>('lower', ['subscription.email']), '=', row.fn<string>('lower', ['reader.email'])),
          row('reader.email_verified', 'is not', null),
        ]),
      ]),
    )
    .orderBy('consent.id', 'desc')
    .limit(200)
    .execute()
}

export function findReader(db: Handle, userId: string) {
  return db
    .selectFrom('users')
    .select(['id', 'email', 'language', 'email_verified', 'newsletter'])
    .where('id', '=', userId)
    .where('destroyed_at', 'is', null)
    .executeTakeFirst()
}

/** Keeps what an account shows in step with the subscription of its address. */
export async function setNewsletterOfAccount(trx: Transaction, email: string, wanted: boolean): Promise<void> {
  await trx
    .updateTable('users')
    .set((row) => ({ newsletter: wanted ? row.fn.coalesce('newsletter', sql<Date>`now()`) : null }))
    .where((row) => row(row.fn<string>('lower', ['email']), '=', email.toLowerCase()))
    .where('destroyed_at', 'is', null)
    .execute()
}

/**
 * Removes some of the subscriptions that were withdrawn, or asked for and never confirmed, before a moment, with the
 * evidence of them. @returns how many.
 */
export async function deleteEndedSubscriptions(db: Handle, moment: Date, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('newsletter_subscriptions')
    .where('id', 'in', (old) =>
      old
        .selectFrom('newsletter_subscriptions')
        .select('id')
        .where('requested_at', '<', moment)
        .where((row) => row.or([row('withdrawn_at', '<', moment), row('confirmed_at', 'is', null)]))
        .limit(limit),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}
