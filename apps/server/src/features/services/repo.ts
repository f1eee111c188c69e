import type { BillingPeriod, Currency } from '@wakestone/contract/primitives'
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

/** Services of one type that a user holds, oldest first. */
export function selectServicesOfType(db: Handle, userId: string, type: string) {
  return db
    .selectFrom('services')
    .select(['id', 'product_id', 'created_at', 'expires'])
    .where('owner_id', '=', userId)
    .where('type', '=', type)
    .where('ended_at', 'is', null)
    .orderBy('id')
    .execute()
}

export async function isFreeServerHeld(db: Handle, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('services')
    .select('id')
    .where('owner_id', '=', userId)
    .where('product_id', '=', 'FREE')
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether somebody has paid for a time that is not over. */
export async function isPaidServiceActive(db: Handle, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('services')
    .select('id')
    .where('owner_id', '=', userId)
    .where('ended_at', 'is', null)
    .where('gross_cost', '>', 0)
    .where((service) => service.or([service('expires', 'is', null), service('expires', '>', new Date())]))
    .executeTakeFirst()
  return row !== undefined
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

export type ServiceChange = Partial<{
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
}>

export async function updateService(trx: Transaction, id: string, change: ServiceChange): Promise<void> {
  await trx.updateTable('services').set(change).where('id', '=', id).execute()
}
