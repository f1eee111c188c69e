/**
 * What becomes of a plan when its owner withdraws from an upgrade, or from an add-on: it is what it was before. The money
 * is the caller's to give back; the caller holds the lock of the service.
 */
import type { BillingPeriod } from '@wakestone/contract/primitives'
import type { Transaction } from '#src/db/client.ts'
import { recordServerEvent } from '#src/features/ground/events/service.ts'
import { showProduct } from '#src/features/sales/products/service.ts'
import { applyPlan } from './apply-plan.ts'
import { listAddOns, type ServiceRow, spansOf, updateService } from '#src/features/sales/services/service.ts'
import { hashRequest } from '#src/idempotency.ts'
import type { ChangeDeps } from './change.ts'
import { tellChange } from './add-ons.ts'
import { type ChangeRow, deleteAction, insertChange } from './repo.ts'
import { costsOf } from './situation.ts'

export type Undoing = {
  service: ServiceRow
  change: ChangeRow
  executorId: string
  /** Gross. */
  returned: number
  transactionIds: string[]
  now: Date
}

/** Bytes that files may take once the change is undone; null where that is not less than now. */
export async function storageWithout(
  trx: Transaction,
  { service, change }: Pick<Undoing, 'service' | 'change'>,
): Promise<number | null> {
  const plan = change.kind === 'upgrade' ? change.product_before : service.product_id
  const rows = (await listAddOns(trx, service.id)).filter(({ id }) => id !== change.add_on_id)
  let storage = 0
  for (const id of [plan ?? service.product_id, ...rows.map(({ product_id }) => product_id)])
    storage += (await showProduct(trx, id, { userId: service.owner_id })).parameters.storage
  const changed = await showProduct(trx, change.product_after ?? '', { userId: service.owner_id })
  return change.kind === 'add' && changed.parameters.storage === 0 ? null : storage
}

export async function undoChange(deps: ChangeDeps, trx: Transaction, undoing: Undoing): Promise<void> {
  const { service, change, now } = undoing
  if (change.kind === 'upgrade') await undoUpgrade(deps, trx, undoing)
  else {
    await updateService(trx, change.add_on_id ?? '', { ended_at: now, value_held: '[]' })
    await tellChange(deps, trx, undoing, { service, before: change.product_after, after: null })
  }
  await insertChange(trx, {
    serviceId: service.id,
    kind: 'withdraw',
    key: `withdraw:${change.id}`,
    requestHash: hashRequest({ change: change.id }),
    executorId: undoing.executorId,
    productBefore: change.product_after,
    productAfter: change.product_before,
    addOnId: change.add_on_id,
    expires: service.expires,
    currency: service.currency,
    amount: 0 - undoing.returned,
    transactionIds: undoing.transactionIds,
    immediate: false,
    at: now,
  })
}

async function undoUpgrade(deps: ChangeDeps, trx: Transaction, { service, change, executorId, now }: Undoing) {
  const product = change.product_before ?? service.product_id
  const period = service.billing_period as BillingPeriod
  const cost = (await costsOf(trx, { productId: product, service, currency: service.currency })).get(period)
  const spans = spansOf(service).map((span) => {
    const isOf = ({ transaction }: { transaction: string | null }) =>
      transaction !== null && change.transaction_ids.includes(transaction)
    const paid = span.payments.filter(isOf).reduce((sum, { amount }) => sum + amount, 0)
    return {
      ...span,
      worth: Math.max(0, span.worth - paid),
      // As after a downgrade: the plan that was had is never worth less again.
      known: { ...span.known, [service.product_id]: Math.max(span.known[service.product_id] ?? 0, span.worth) },
      payments: span.payments.filter((payment) => !isOf(payment)),
    }
  })
  await updateService(trx, service.id, {
    product_id: product,
    value_held: JSON.stringify(spans),
    ...(cost !== undefined && {
      cost: cost.product_price.amount,
      gross_cost: cost.gross_price.amount,
      vat_rate: cost.country_tax_rate.vat_rate,
      country_code: cost.country_tax_rate.country_code,
    }),
  })
  await deleteAction(trx, { serviceId: service.id, action: 'CHANGE_PRODUCT', now })
  const serverId = await applyPlan(deps, trx, service.id)
  if (serverId === undefined) return
  await recordServerEvent(trx, serverId, {
    action: 'SERVICE_DOWNGRADE',
    data: { executor: executorId, service_id: service.id, old_product: service.product_id, new_product: product },
  })
}
