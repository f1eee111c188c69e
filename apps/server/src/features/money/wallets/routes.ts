import { randomUUID } from 'node:crypto'
import * as routes from '@wakestone/contract/money/wallets-routes'
import { heldSalesOf, withSales } from '#src/features/money/payments/service.ts'
import { listTransactionsOfWallet } from '#src/features/money/statements/service.ts'
import { type Api, implement } from '#src/http/implement.ts'
import { getWallet, listWalletLogs } from './service.ts'
import { topUpByHand } from './top-up.ts'

export function registerWalletRoutes(api: Api): void {
  const { db } = api.context
  implement(api, routes.getWallet, async ({ params }) => {
    const wallet = await getWallet(db, params.id)
    return { ...wallet, held_sales: wallet.held.amount === 0 ? null : await heldSalesOf(db, wallet) }
  })
  implement(api, routes.listWalletTransactions, ({ params, query }) =>
    listTransactionsOfWallet(db, params.id, { after: query.after, limit: query.limit }),
  )
  implement(api, routes.listWalletLogs, async ({ params, query }) => {
    const { data, count } = await listWalletLogs(db, params.id, { after: query.after, limit: query.limit })
    return { data: await withSales(db, data), count }
  })
  implement(api, routes.topUpWallet, ({ params, body, user, idempotencyKey }) =>
    topUpByHand(api.context, {
      actor: { user_id: user.userId, username: user.username },
      walletId: params.id,
      body,
      key: idempotencyKey ?? randomUUID(),
    }),
  )
}
