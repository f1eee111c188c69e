import { z } from 'zod'
import { idSchema, pagingQuery } from '../primitives.ts'
import { defineRoute } from '../route.ts'
import { transactionSchema } from './transaction.ts'
import { topUpWalletBody, walletLogSchema, walletSchema } from './wallet.ts'

const params = z.object({ id: idSchema })
const access = { kind: 'wallet', param: 'id' } as const
const tag = 'Wallets'

export const getWallet = defineRoute({
  method: 'GET',
  path: '/wallets/:id',
  tag,
  summary: 'Get a wallet',
  access,
  keyScope: 'user.read',
  params,
  responses: { 200: walletSchema },
  errors: ['wallet_not_found'],
})
export const listWalletTransactions = defineRoute({
  method: 'GET',
  path: '/wallets/:id/transactions',
  tag,
  summary: 'List a wallet’s transactions, newest first',
  access,
  keyScope: 'user.read',
  params,
  query: z.object(pagingQuery),
  responses: { 200: z.object({ data: z.array(transactionSchema), count: z.int() }) },
  errors: ['wallet_not_found'],
})
export const listWalletLogs = defineRoute({
  method: 'GET',
  path: '/wallets/:id/logs',
  tag,
  summary: 'List the movements on a wallet, newest first',
  access,
  keyScope: 'user.read',
  params,
  query: z.object(pagingQuery),
  responses: { 200: z.object({ data: z.array(walletLogSchema), count: z.int() }) },
  errors: ['wallet_not_found'],
})
export const topUpWallet = defineRoute({
  method: 'POST',
  path: '/wallets/:id/topup',
  tag,
  summary: 'Credit a wallet by hand. Its owner is notified and sees who did it and why.',
  access: { kind: 'capability', capability: 'admin.payments.topup' },
  stepUp: true,
  idempotent: true,
  params,
  body: topUpWalletBody,
  responses: { 201: transactionSchema },
  errors: ['insufficient_capabilities', 'wallet_not_found', 'idempotency_key_reused'],
})
