import { randomUUID } from 'node:crypto'
import * as routes from '@wakestone/contract/money/wallets-routes'
import { listTransactionsOfWallet } from '#src/features/money/statements/service.ts'
import { type Api, implement } from '#src/http/implement.ts'
import { getWallet, listWalletLogs } from './service.ts'
import { topUpByHand } from './top-up.ts'

export function registerWalletRoutes(api: Api): void {
  const { db } = api.context
  implement(api, routes.getWallet, ({ params }) => getWallet(db, params.id))
  implement(api, routes.listWalletTransactions, ({ params, query }) =>
    listTransactionsOfWallet(db, params.id, { after: query.after, limit: query.limit }),
  )
  implement(api, routes.listWalletLogs, ({ params, query }) =>
    listWalletLogs(db, params.id, { after: query.after, limit: query.limit }),
  )
  implement(api, routes.topUpWallet, ({ params, body, user, idempotencyKey }) =>
    topUpByHand(api.context, {
      actor: { user_id: user.userId, username: user.username },
      walletId: params.id,
      body,
      key: idempotencyKey ?? randomUUID(),
    }),
  )
}
