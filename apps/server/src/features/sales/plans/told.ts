/** Tells owners of a changed plan or a new add-on, and what it cost: the mail is their record of it. */
import type { Currency } from '@wakestone/contract/primitives'
import type { Transaction } from '#src/db/client.ts'
import { notify } from '#src/features/ground/notifications/service.ts'
import { findRentedServer } from '#src/features/servers/servers/service.ts'
import type { ServiceRow } from '#src/features/sales/services/service.ts'
import type { ChangeDeps } from './change.ts'

type Change = {
  service: ServiceRow
  productId: string
  /** Gross, in minor units: what was paid for it now. What came back, or nothing, is no cost. */
  paid?: number
}

export const tellPlanChanged = (deps: ChangeDeps, trx: Transaction, change: Change): Promise<void> =>
  tell(deps, trx, { ...change, kind: 'PLAN_CHANGED' })

export const tellAddOnAdded = (deps: ChangeDeps, trx: Transaction, change: Change): Promise<void> =>
  tell(deps, trx, { ...change, kind: 'ADD_ON_ADDED' })

async function tell(
  { settings }: ChangeDeps,
  trx: Transaction,
  { kind, service, productId, paid = 0 }: Change & { kind: 'PLAN_CHANGED' | 'ADD_ON_ADDED' },
): Promise<void> {
  const server = await findRentedServer({ db: trx, settings }, service.id)
  if (server === undefined) return
  const cost = paid > 0 ? { amount: { amount: paid, currency: service.currency as Currency } } : {}
  await notify(trx, {
    userId: service.owner_id,
    kind,
    fields: { server: server.name, product: productId, ...cost },
    resource: { type: 'server', id: server.id },
  })
}
