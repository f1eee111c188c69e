import { sql } from 'kysely'
import type { BillingPeriod } from '@wakestone/contract/primitives'
import type { Handle, Transaction } from '#src/db/client.ts'

export type NewRenewal = {
  serviceId: string
  key: string
  requestHash: Buffer
  period: BillingPeriod
  executorId: string | null
  before: Date
  after: Date
  transactionId: string
  immediate: boolean
  now: Date
}

export async function insertRenewal(trx: Transaction, renewal: NewRenewal): Promise<void> {
  await trx
    .insertInto('renewals')
    .values({
      service_id: renewal.serviceId,
      key: renewal.key,
      request_hash: renewal.requestHash,
      billing_period: renewal.period,
      executor_id: renewal.executorId,
      expires_before: renewal.before,
      expires_after: renewal.after,
      transaction_id: renewal.transactionId,
      immediate: renewal.immediate,
      at: renewal.now,
    })
    .execute()
}

/** What a key was used for. */
export function findRenewal(db: Handle, serviceId: string, key: string) {
  return db
    .selectFrom('renewals')
    .select('request_hash')
    .where('service_id', '=', serviceId)
    .where('key', '=', key)
    .executeTakeFirst()
}

/** Services that ended before `before`, and those of which something is due to be deleted by now. */
export function selectEndedServices(db: Handle, before: Date, now: Date): Promise<{ id: string }[]> {
  return db
    .selectFrom('services')
    .innerJoin('servers', 'servers.service_id', 'services.id')
    .select('services.id')
    .where('services.ended_at', 'is', null)
    .where('services.expires', '<=', now)
    .where((row) => row.or([row('services.expires', '<=', before), row('servers.cleanup_date', '<=', now)]))
    .orderBy('services.expires')
    .orderBy('services.id')
    .execute()
}

/** Free servers that nobody has used since then, and whose time is not over. */
export function selectUnusedFreeServices(db: Handle, { since, now }: { since: Date; now: Date }) {
  return db
    .selectFrom('services')
    .innerJoin('servers', 'servers.service_id', 'services.id')
    .select(['services.id', 'servers.last_used_at'])
    .where('services.ended_at', 'is', null)
    .where('services.product_id', '=', 'FREE')
    .where('services.expires', '>', now)
    .where('servers.last_used_at', '<=', since)
    .orderBy('services.id')
    .execute()
}

/** For so long after its end a service is renewed from the wallet once there are funds. */
const recoveryDays = 3
const day = 86_400_000

/**
 * Services whose end is less than `days` away, past and not told yet, or past for so short that money brings them back.
 * @param now the clock to go by.
 */
export function selectEndingServices(db: Handle, { now, days }: { now: Date; days: number }) {
  return db
    .selectFrom('services')
    .selectAll()
    .where('ended_at', 'is', null)
    .where('parent_id', 'is', null)
    .where('expires', '<=', new Date(now.getTime() + days * day))
    .where((row) =>
      row.or([
        row('expires', '>', now),
        sql<boolean>`services.expiry_noted is distinct from services.expires`,
        row.and([row('auto_renew', '=', true), row('expires', '>', new Date(now.getTime() - recoveryDays * day))]),
      ]),
    )
    .orderBy('expires')
    .orderBy('id')
    .execute()
}
