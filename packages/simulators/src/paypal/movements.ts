/** What moved on the shop's account, as Transaction Search lists it. */
import type { Amount, Order } from './orders.ts'
import { unitOf } from './orders.ts'

/** @param span milliseconds, both ends included. */
export function listMovements(orders: readonly Order[], { from, to }: { from: number; to: number }) {
  const negative = ({ currency_code, value }: Amount) => ({ currency_code, value: `-${value}` })
  const all = orders.flatMap((order) => {
    const { custom_id, invoice_id } = unitOf(order)
    const captures = order.captures.filter(({ status }) => status !== 'DECLINED' && status !== 'FAILED')
    return captures.flatMap((capture) => [
      {
        transaction_id: capture.id,
        paypal_reference_id: order.id,
        paypal_reference_id_type: 'ODR',
        transaction_event_code: 'T0006',
        transaction_initiation_date: capture.createdAt,
        transaction_amount: capture.amount,
        transaction_status: capture.status === 'PENDING' ? 'P' : 'S',
        custom_field: custom_id,
        invoice_id,
      },
      ...capture.refunds
        .filter(({ status }) => status === 'COMPLETED' || status === 'PENDING')
        .map((refund) => ({
          transaction_id: refund.id,
          paypal_reference_id: capture.id,
          paypal_reference_id_type: 'TXN',
          transaction_event_code: refund.isReversal ? 'T1106' : 'T1107',
          transaction_initiation_date: refund.createdAt,
          transaction_amount: negative(refund.amount),
          transaction_status: refund.status === 'PENDING' ? 'P' : 'S',
          custom_field: refund.custom_id,
          invoice_id: refund.invoice_id,
        })),
      ...capture.refunds
        .filter(({ returnedAt }) => returnedAt !== undefined)
        .map((refund) => ({
          transaction_id: refund.id.slice(0, 16) + (refund.id.endsWith('W') ? 'X' : 'W'), // another than the refund's
          paypal_reference_id: capture.id,
          paypal_reference_id_type: 'TXN',
          transaction_event_code: 'T1202',
          transaction_initiation_date: refund.returnedAt ?? '',
          transaction_amount: refund.amount,
          transaction_status: 'S',
          custom_field: refund.custom_id,
          invoice_id: undefined,
        })),
    ])
  })
  return all
    .filter(({ transaction_initiation_date: at }) => Date.parse(at) >= from && Date.parse(at) <= to)
    .toSorted((left, right) => (left.transaction_initiation_date < right.transaction_initiation_date ? -1 : 1))
}
