import { sql } from 'kysely'
import type { BillingPeriod, Currency } from '@wakestone/contract/primitives'
import type { Product } from '@wakestone/contract/sales/product'
import type { Handle, Transaction } from '#src/db/client.ts'

export async function selectServiceIds(db: Handle, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('services')
    .select('id')
    .where('owner_id', '=', userId)
    .where('ended_at', 'is', null)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Services of somebody whose time is not over. */
export function selectRunning(db: Handle, userId: string): Promise<ServiceRow[]> {
  return db
    .selectFrom('services')
    .selectAll()
    .where('owner_id', '=', userId)
    .where('ended_at', 'is', null)
    .where((service) => service.or([service('expires', 'is', null), service('expires', '>', new Date())]))
    .execute()
}

export type NewService = {
  productId: string
  type: string
  ownerId: string
  walletId: string
  clusterId: string
  period: BillingPeriod
  currency: Currency
  /** Net and gross, in minor units. */
  cost: number
  grossCost: number
  vatRate: number
  countryCode: string
  expires: Date | null
  /** Of an add-on: the service of its server. */
  parentId?: string
}

/** @returns id of the service. */
export async function insertService(trx: Transaction, service: NewService): Promise<string> {
  const { id } = await trx
    .insertInto('services')
    .values({
      product_id: service.productId,
      type: service.type,
      owner_id: service.ownerId,
      wallet_id: service.walletId,
      cluster_id: service.clusterId,
      billing_period: service.period,
      currency: service.currency,
      cost: service.cost,
      gross_cost: service.grossCost,
      vat_rate: service.vatRate,
      country_code: service.countryCode,
      expires: service.expires,
      parent_id: service.parentId ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export function selectService(db: Handle, id: string) {
  return db.selectFrom('services').selectAll().where('id', '=', id).where('ended_at', 'is', null).executeTakeFirst()
}
export type ServiceRow = NonNullable<Awaited<ReturnType<typeof selectService>>>

/** Waits for whoever else changes it. */
export function lockService(trx: Transaction, id: string): Promise<ServiceRow | undefined> {
  return trx
    .selectFrom('services')
    .selectAll()
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
}

/** What was added to a service and has not ended, oldest first. Whoever changes it holds the lock of the service. */
export function selectAddOns(db: Handle, parentId: string): Promise<ServiceRow[]> {
  return db
    .selectFrom('services')
    .selectAll()
    .where('parent_id', '=', parentId)
    .where('ended_at', 'is', null)
    .orderBy('id')
    .execute()
}

/** Adds up the plan and what was added to it: what a server may use. */
export async function selectEffectiveParameters(db: Handle, id: string): Promise<Product['parameters'] | undefined> {
  const { rows } = await sql<{ parameters: Product['parameters'] }>`
    select plan.parameters || jsonb_build_object(
      'memory', (plan.parameters ->> 'memory')::bigint + coalesce(sum((extra.parameters ->> 'memory')::bigint), 0),
      'cpu', (plan.parameters ->> 'cpu')::numeric + coalesce(sum((extra.parameters ->> 'cpu')::numeric), 0),
      'storage', (plan.parameters ->> 'storage')::bigint + coalesce(sum((extra.parameters ->> 'storage')::bigint), 0)
    ) || case when plan.parameters ? 'ports' then jsonb_build_object(
      'ports', (plan.parameters ->> 'ports')::integer + coalesce(sum((extra.parameters ->> 'ports')::integer), 0)
    ) else '{}' end as parameters
    from services service
    join products plan on plan.id = service.product_id
    left join services added on added.parent_id = service.id and added.ended_at is null
    left join products extra on extra.id = added.product_id
    where service.id = ${id}
    group by plan.id`.execute(db)
  return rows[0]?.parameters
}

export type ServiceChange = Partial<{
  product_id: string
  value_held: string
  immediate_consent_at: Date
  ended_at: Date
  auto_renew: boolean
  auto_renew_failed_at: Date | null
  billing_period: BillingPeriod
  cost: number
  gross_cost: number
  currency: string
  wallet_id: string
  vat_rate: number
  country_code: string
  expires: Date
  expiry_noted: Date
  bill_overdue_since: Date | null
}>

export async function updateService(trx: Transaction, id: string, change: ServiceChange): Promise<void> {
  await trx.updateTable('services').set(change).where('id', '=', id).execute()
}
