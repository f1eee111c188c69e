/**
 * Top-ups: what a customer asks for is checked and stored, then made into an order at the gateway.
 */
import type { z } from 'zod'
import { availablePaymentMethods, gatewayMethods } from '@wakestone/contract/capabilities'
import { DomainError } from '@wakestone/contract/errors'
import { walletCurrencies } from '@wakestone/contract/primitives'
import {
  type createTransactionBody,
  type providerSchema,
  type Transaction as ShownTransaction,
  transactionLimits,
} from '@wakestone/contract/money/transaction'
import type { Gateways } from '#src/adapters/payments/registry.ts'
import type { Context } from '#src/context.ts'
import { inTransaction } from '#src/db/client.ts'
import { findWallet } from '#src/features/money/ledger/service.ts'
import { findCountry } from '#src/features/ground/location/service.ts'
import { taxOf } from '#src/features/money/taxes/service.ts'
import type { Principal } from '#src/http/principal.ts'
import { hashRequest, requireSameRequest } from '#src/idempotency.ts'
import { ensureOrder } from './orders.ts'
import { findPayer, findWalletOfServer } from './orders-repo.ts'
import {
  type TransactionRow,
  findTransaction,
  findTransactionByKey,
  insertTransaction,
} from '#src/features/money/statements/service.ts'
import { showTransaction } from '#src/features/money/statements/service.ts'

type Provider = z.input<typeof providerSchema>

/** Ways to top a wallet up that are set up here and open to this caller, in the order of the product. */
export async function listProviders(
  { db }: Pick<Context, 'db'>,
  gateways: Gateways,
  user: Principal | undefined,
): Promise<Provider[]> {
  const methods = user === undefined ? gatewayMethods : availablePaymentMethods(user.capabilities)
  const payer = user === undefined ? undefined : await findPayer(db, user.userId)
  return methods.flatMap((id) => {
    const gateway = gateways.ofMethod(id)
    if (payer !== undefined && gateway?.takesPayer(payer.email) !== true) return []
    const taken = gateway?.currenciesOf(id) ?? []
    const takesCode = gateway?.takesCode(id) ?? false
    const currencies = walletCurrencies.filter((currency) => taken.includes(currency))
    if (currencies.length === 0) return []
    return [
      {
        id,
        takes_code: takesCode,
        currencies: currencies.map((currency) => ({ currency, ...transactionLimits(id, currency) })),
      },
    ]
  })
}

/** Those of them that fill the wallet which pays for a server, in its currency. Only its owner can fill it. */
export async function listProvidersOfServer(
  { db }: Pick<Context, 'db'>,
  gateways: Gateways,
  { user, serverId }: { user: Principal; serverId: string },
): Promise<Provider[]> {
  const wallet = await findWalletOfServer(db, serverId)
  if (wallet?.user_id !== user.userId) return []
  const providers = await listProviders({ db }, gateways, user)
  return providers.flatMap((provider) => {
    const currencies = provider.currencies.filter(({ currency }) => currency === wallet.currency)
    return currencies.length === 0 ? [] : [{ ...provider, currencies }]
  })
}

export type DepositRequest = {
  user: Principal
  body: z.output<typeof createTransactionBody>
  key: string | undefined
  ip: string
}

/**
 * Begins a top-up. The same key and body again are the same top-up, as it stands by then.
 * @throws DomainError as the contract lists them.
 */
export async function createDeposit(
  context: Context,
  gateways: Gateways,
  request: DepositRequest,
): Promise<ShownTransaction> {
  const { user, body } = request
  const wallet = await findWallet(context.db, body.wallet_id)
  if (wallet === undefined || wallet.user_id !== user.userId) {
    throw new DomainError('wallet_not_found', { resource: 'wallet' })
  }
  if (wallet.currency !== body.currency) throw new DomainError('wallet_has_other_currency', { resource: 'wallet' })
  const method = gatewayMethods.find((known) => known === body.provider)
  const gateway = method === undefined ? undefined : gateways.ofMethod(method)
  if (method === undefined || gateway?.currenciesOf(method).includes(body.currency) !== true) {
    throw new DomainError('unsupported_payment_method')
  }
  if (!gateway.takesPayer((await findPayer(context.db, user.userId)).email)) {
    throw new DomainError('unsupported_payment_method')
  }
  if (body.code !== undefined && !gateway.takesCode(method)) throw new DomainError('unsupported_payment_method')
  if (!availablePaymentMethods(user.capabilities).includes(method)) throw new DomainError('insufficient_capabilities')
  const { minimum, maximum } = transactionLimits(body.provider, body.currency)
  if (body.amount < minimum) throw new DomainError('transaction_value_too_low', { minimum })
  if (body.amount > maximum) throw new DomainError('transaction_value_too_high', { maximum })

  const { id } = await storeDeposit(context, request)
  await ensureOrder(context, gateway, id, { code: body.code })
  return showAgain(context, id)
}

/**
 * Goes on with a top-up by a code that was no good.
 * @throws DomainError as the contract lists them.
 */
export async function sendCode(
  context: Context,
  gateways: Gateways,
  { user, id, code }: { user: Principal; id: string; code: string },
): Promise<ShownTransaction> {
  const row = await findTransaction(context.db, id)
  // Administrators see other people's transactions, and pay none of them.
  if (row?.user_id !== user.userId) throw new DomainError('transaction_not_found', { resource: 'transactions' })
  const method = gatewayMethods.find((known) => known === row.provider)
  const gateway = method === undefined ? undefined : gateways.ofMethod(method)
  if (method === undefined || gateway?.takesCode(method) !== true) throw new DomainError('unsupported_payment_method')
  if (!availablePaymentMethods(user.capabilities).includes(method)) throw new DomainError('insufficient_capabilities')
  if (!showTransaction(row).wants_code) throw new DomainError('transaction_is_not_new')
  await ensureOrder(context, gateway, id, { code, isAnother: true })
  return showAgain(context, id)
}

async function showAgain({ db }: Context, id: string): Promise<ShownTransaction> {
  const row = await findTransaction(db, id)
  if (row === undefined) throw new Error('a transaction vanished')
  return showTransaction(row)
}

async function storeDeposit(
  { db, settings }: Context,
  { user, body, key, ip }: DepositRequest,
): Promise<Pick<TransactionRow, 'id'>> {
  const requestHash = hashRequest(body)
  const tax = await taxOf(db, { userId: user.userId })
  const payer_country = findCountry(ip, settings)
  const made = await inTransaction(db, (trx) =>
    insertTransaction(trx, {
      userId: user.userId,
      walletId: body.wallet_id,
      currency: body.currency,
      status: 'NEW',
      action: 'DEPOSIT',
      provider: body.provider,
      amount: body.amount,
      countryCode: tax.country_code,
      vatRate: tax.vat_rate,
      // Tax is due when the balance is spent: a balance is no purchase yet.
      positions: [{ name: 'WALLET_TOP_UP', quantity: 1, tax: 0, total_price_gross: body.amount }],
      language: body.language,
      payerIp: ip,
      details: payer_country === undefined ? {} : { payer_country },
      idempotency: key === undefined ? undefined : { key, requestHash },
    }),
  )
  if (made !== undefined) return made
  const known = await findTransactionByKey(db, user.userId, key ?? '')
  if (known === undefined) throw new Error('a top-up vanished')
  requireSameRequest(known.request_hash, requestHash)
  return known
}
