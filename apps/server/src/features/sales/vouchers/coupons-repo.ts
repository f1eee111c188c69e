import { sql } from 'kysely'
import type { CouponSpec } from '@wakestone/contract/sales/voucher'
import type { Handle, Transaction } from '#src/db/client.ts'

export type CouponRow = Awaited<ReturnType<typeof selectCoupons>>[number]

/** Newest first, each with what its voucher was for. */
export function selectCoupons(db: Handle, serviceId: string) {
  return db
    .selectFrom('service_coupons')
    .innerJoin('voucher_uses as use', 'use.id', 'service_coupons.voucher_use_id')
    .innerJoin('vouchers', 'vouchers.id', 'use.voucher_id')
    .innerJoin('voucher_batches as batch', 'batch.id', 'vouchers.batch_id')
    .selectAll('service_coupons')
    .select('batch.data as voucher_data')
    .where('service_coupons.service_id', '=', serviceId)
    .orderBy('service_coupons.id', 'desc')
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
