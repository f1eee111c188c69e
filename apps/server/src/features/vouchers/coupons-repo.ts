import { sql } from 'kysely'
import type { CouponSpec } from '@wakestone/contract/voucher'
import type { Handle, Transaction } from '#src/db/client.ts'

export type CouponRow = Awaited<ReturnType<typeof selectCoupons>>[number]

/** Newest first. */
export function selectCoupons(db: Handle, serviceId: string) {
  return db
    .selectFrom('service_coupons')
    .selectAll()
    .where('service_id', '=', serviceId)
    .orderBy('id', 'desc')
    .execute()
}

/** @returns its id. */
export async function insertCoupon(
  trx: Transaction,
  { serviceId, useId, coupon }: { serviceId: string; useId: string; coupon: CouponSpec },
): Promise<string> {
  const { id } = await trx
    .insertInto('service_coupons')
    .values({
      service_id: serviceId,
      voucher_use_id: useId,
      name: coupon.name,
      expression: coupon.expression,
      add_hours_on_renewal: coupon.add_hours_on_renewal,
      end_time: coupon.end_time,
      uses_left: coupon.uses_left,
      details: JSON.stringify(coupon.details),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** @returns whether there was a use left to take. */
export async function takeCouponUse(trx: Transaction, id: string): Promise<boolean> {
  const { rows } = await sql`
    update service_coupons set uses_left = uses_left - 1, used = used + 1
    where id = ${id} and (uses_left is null or uses_left > 0) returning 1`.execute(trx)
  return rows.length > 0
}
