/** What administrators put into wallets by hand. */
import type { z } from 'zod'
import { DomainError } from '@wakestone/contract/errors'
import type { Transaction as ShownTransaction } from '@wakestone/contract/money/transaction'
import type { topUpWalletBody } from '@wakestone/contract/money/wallet'
import type { Context } from '#src/context.ts'
import { inTransaction, type Transaction } from '#src/db/client.ts'
import { lockName } from '#src/db/lock-name.ts'
import { type Actor, recordUserEvent } from '#src/features/ground/events/service.ts'
import { findPosting, lockWallet } from '#src/features/money/ledger/service.ts'
import { notify } from '#src/features/ground/notifications/service.ts'
import { findPurchaseByPosting } from '#src/features/money/statements/service.ts'
import { getTransaction } from '#src/features/money/payments/service.ts'
import { hashRequest } from '#src/idempotency.ts'
import { creditWallet } from './service.ts'

const scope = 'adjustment'

/**
 * @param key the same one again is the same top-up.
 * @throws DomainError `wallet_not_found`; `idempotency_key_reused` when the key was for another top-up.
 */
export async function topUpByHand(
  { db }: Pick<Context, 'db'>,
  {
    actor,
    walletId,
    body,
    key,
  }: { actor: Actor; walletId: string; body: z.output<typeof topUpWalletBody>; key: string },
): Promise<ShownTransaction> {
  const request = hashRequest([walletId, body]).toString('hex')
  const id = await inTransaction(db, async (trx) => {
    // The key may be another wallet's too.
    await lockName(trx, `${scope}:${actor.user_id}:${key}`)
    const wallet = await lockWallet(trx, walletId)
    if (wallet === undefined) throw new DomainError('wallet_not_found', { resource: 'wallet' })
    const { user_id: userId, currency } = wallet
    const known = await findPosting(trx, scope, `${actor.user_id}:${key}`)
    if (known !== undefined) return sameAsBefore(trx, known, request)
    const made = await creditWallet(trx, {
      userId,
      walletId,
      currency,
      amount: body.amount,
      tax: 0,
      source: 'adjustment',
      refundable: body.refundable,
      cause: 'ADJUSTMENT',
      scope,
      key: `${actor.user_id}:${key}`,
      status: 'ADMIN_ACTION',
      name: 'WALLET_TOP_UP',
      details: { reason: body.reason, by: actor, request },
    })
    const eventId = await recordUserEvent(trx, userId, {
      action: 'USER_WALLET_TOP_UP',
      data: { amount: body.amount, currency, reason: body.reason, actor },
    })
    await notify(trx, {
      userId,
      kind: 'SUPPORT_CREDIT',
      fields: { amount: { amount: body.amount, currency }, reason: body.reason },
      resource: { type: 'transaction', id: made },
      eventId,
    })
    return made
  })
  return getTransaction(db, id)
}

async function sameAsBefore(trx: Transaction, posting: string, request: string): Promise<string> {
  const made = await findPurchaseByPosting(trx, posting)
  if (made?.details['request'] !== request) throw new DomainError('idempotency_key_reused')
  return made.id
}
