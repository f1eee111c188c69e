/** Tells owners of a changed plan or a new add-on, and what it cost: the mail is their record of it. */
import type { Currency } from '@wakestone/contract/primitives'
import type { Transaction } from '#src/db/client.ts'
import { notify } from '#src/features/ground/notifications/service.ts'
import { confirmPurchase, findDocument } from '#src/features/sales/confirmations/service.ts'
import { findRentedServer } from '#src/features/servers/servers/service.ts'
import type { ServiceRow } from '#src/features/sales/services/service.ts'
import type { ChangeDeps } from './change.ts'

type Change = {
  /** As it was before. */
  service: ServiceRow
  productId: string
  /** Null where nothing was paid. */
  transactionId: string | null
  expires: Date | null
  immediate?: boolean | undefined
  now: Date
}

/** @param change.credit what came back to a wallet: gross, in minor units, with one of its transactions. */
export async function tellPlanChanged(
  deps: ChangeDeps,
  trx: Transaction,
  { credit, ...change }: Change & { credit?: { amount: number; transaction: string; wallet: string } | undefined },
): Promise<void> {
  const { service, productId } = change
  const about = await findAbout(deps, trx, service)
  if (about === undefined) return
  const { name, ...told } = about
  const fields = {
    server: name,
    product: productId,
    before: service.product_id,
    ...(credit && {
      credited: { amount: credit.amount, currency: service.currency as Currency },
      ...(await findDocument(trx, { transaction: credit.transaction, wallet: credit.wallet })),
    }),
    ...(await confirm(trx, change)),
  }
  await notify(trx, { ...told, kind: 'PLAN_CHANGED', fields })
}

export async function tellAddOnAdded(deps: ChangeDeps, trx: Transaction, change: Change): Promise<void> {
  const about = await findAbout(deps, trx, change.service)
  if (about === undefined) return
  const { name, ...told } = about
  const fields = { server: name, product: change.productId, ...(await confirm(trx, change)) }
  await notify(trx, { ...told, kind: 'ADD_ON_ADDED', fields })
}

const confirm = (trx: Transaction, { transactionId, expires, immediate = false, now }: Change) =>
  confirmPurchase(trx, { transactionId, expires, immediate, now })

async function findAbout({ settings }: ChangeDeps, trx: Transaction, service: ServiceRow) {
  const server = await findRentedServer({ db: trx, settings }, service.id)
  if (server === undefined) return undefined
  return { userId: service.owner_id, name: server.name, resource: { type: 'server' as const, id: server.id } }
}
