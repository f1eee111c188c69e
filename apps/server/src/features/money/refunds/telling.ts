/** Whom a return is told to, and how it is noted down. */
import { type GatewayId, gatewayNames } from '#src/adapters/payments/gateway.ts'
import { eventLevels } from '@wakestone/contract/ground/event'
import type { Transaction } from '#src/db/client.ts'
import { findAdministratorIds, notify } from '#src/features/ground/notifications/service.ts'
import { type Actor, recordUserEvent } from '#src/features/ground/events/service.ts'
import type { Payment } from './payments-repo.ts'
import type { ReturnRow } from './repo.ts'

const nameOf = (gateway: string) => gatewayNames[gateway as GatewayId] ?? gateway

type Told = { id: string; payment: Payment; amount: number }
const moneyOf = ({ payment, amount }: Told, other = amount) => ({ amount: other, currency: payment.currency })
const resourceOf = ({ payment }: Told) => ({ type: 'transaction', id: payment.depositId }) as const

export const toldOf = (row: Pick<ReturnRow, 'id' | 'amount'>, payment: Payment): Told => ({
  id: row.id,
  amount: row.amount,
  payment,
})

const factsOf = (told: Told, reason: string) => ({
  return_id: told.id,
  transaction_id: told.payment.depositId,
  provider: told.payment.gateway,
  amount: told.amount,
  currency: told.payment.currency,
  reason,
})

export function noteRequest(trx: Transaction, told: Told, { reason, actor }: { reason: string; actor: Actor }) {
  const data = { ...factsOf(told, reason), actor }
  return recordUserEvent(trx, told.payment.userId, { action: 'USER_PAYMENT_REFUND', data })
}

export function noteEnd(
  trx: Transaction,
  told: Told,
  { reason, outcome, actor }: { reason: string; outcome: string; actor?: Actor | undefined },
) {
  const data = { ...factsOf(told, reason), outcome, ...(actor !== undefined && { actor }) }
  return recordUserEvent(trx, told.payment.userId, { action: 'USER_PAYMENT_RETURN_END', data })
}

/** The money has gone back to its payer. Of a sale, the seller is told; the payer is their customer. */
export async function tellRefunded(trx: Transaction, told: Told, reason: string): Promise<void> {
  await notify(trx, {
    userId: told.payment.userId,
    kind: told.payment.action === 'DEPOSIT' ? 'PAYMENT_REFUNDED' : 'SALE_REFUNDED',
    fields: { amount: moneyOf(told), provider: nameOf(told.payment.gateway), reason },
    resource: resourceOf(told),
    dedupeKey: `PAYMENT_REFUNDED ${told.id}`,
  })
}

/** It could not be given back, and is in the wallet. */
export async function tellFailed(trx: Transaction, told: Told, reason: string): Promise<void> {
  await notify(trx, {
    userId: told.payment.userId,
    kind: 'REFUND_FAILED',
    fields: { amount: moneyOf(told), provider: nameOf(told.payment.gateway) },
    resource: resourceOf(told),
    dedupeKey: `REFUND_FAILED ${told.id}`,
  })
  await tellTrouble(trx, told, reason)
}

/** Money left past us, by hand at the gateway or by the payer's bank. */
export async function tellTaken(
  trx: Transaction,
  told: Told,
  {
    owed,
    reason,
    isChargeback,
    actor,
  }: { owed: number; reason: string; isChargeback: boolean; actor?: Actor | undefined },
): Promise<void> {
  const { userId, username, gateway } = told.payment
  const data = { ...factsOf(told, reason), owed, ...(actor !== undefined && { actor }) }
  await recordUserEvent(trx, userId, { action: 'USER_PAYMENT_CHARGEBACK', level: eventLevels.WARN, data })
  const provider = nameOf(gateway)
  if (isChargeback) {
    await notify(trx, {
      userId,
      kind: 'PAYMENT_TAKEN_BACK',
      fields: { amount: moneyOf(told), owed: moneyOf(told, owed), provider },
      resource: resourceOf(told),
      dedupeKey: `PAYMENT_TAKEN_BACK ${told.id}`,
    })
  } else await tellRefunded(trx, told, reason)
  const fields = { username, amount: moneyOf(told), owed: moneyOf(told, owed), provider, reason }
  for (const administrator of await findAdministratorIds(trx)) {
    const dedupeKey = `MONEY_TAKEN_BACK ${told.id}`
    await notify(trx, { userId: administrator, kind: 'MONEY_TAKEN_BACK', fields, dedupeKey })
  }
}

/** What had left is ours again. */
export async function tellReturned(trx: Transaction, told: Told): Promise<void> {
  await notify(trx, {
    userId: told.payment.userId,
    kind: 'PAYMENT_RETURNED',
    fields: { amount: moneyOf(told), provider: nameOf(told.payment.gateway) },
    resource: resourceOf(told),
    dedupeKey: `PAYMENT_RETURNED ${told.id}`,
  })
}

/** Somebody should look into a refund; told once, and once more where there is news of it. */
export async function tellTrouble(
  trx: Transaction,
  told: Told,
  reason: string,
  { isNews = false }: { isNews?: boolean } = {},
): Promise<void> {
  const { username, gateway } = told.payment
  const fields = { username, amount: moneyOf(told), provider: nameOf(gateway), reason: reason.slice(0, 500) }
  for (const userId of await findAdministratorIds(trx)) {
    const dedupeKey = `REFUND_TROUBLE ${told.id}${isNews ? ' again' : ''}`
    await notify(trx, { userId, kind: 'REFUND_TROUBLE', fields, dedupeKey })
  }
}
