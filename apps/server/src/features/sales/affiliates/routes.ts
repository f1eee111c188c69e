import { randomUUID } from 'node:crypto'
import { DomainError } from '@wakestone/contract/errors'
import * as routes from '@wakestone/contract/sales/affiliates-routes'
import { inTransaction } from '#src/db/client.ts'
import { requireWithinLimit } from '#src/features/ground/limits/service.ts'
import { getWallet } from '#src/features/money/wallets/service.ts'
import { type Api, implement } from '#src/http/implement.ts'
import { changeAffiliate, exportAffiliates, listAffiliates } from './administration.ts'
import { countVisit } from './clicks.ts'
import { applyForAffiliate, payOut } from './service.ts'

/** `getAffiliate` is with referrals, which know the code. */
export function registerAffiliateRoutes(api: Api): void {
  const { context } = api
  implement(api, routes.applyForAffiliate, async ({ params, body, user }) => {
    if (params.id !== user.userId) throw new DomainError('access_denied')
    await applyForAffiliate(context, params.id, { ...body, now: new Date() })
  })
  implement(api, routes.payOutAffiliate, async ({ params, body, user, idempotencyKey }) => {
    if (params.id !== user.userId) throw new DomainError('access_denied')
    const { wallet_id: walletId, amount } = body
    await inTransaction(context.db, async (trx) => {
      const { currency } = await getWallet(trx, walletId)
      const key = idempotencyKey ?? randomUUID()
      await payOut(trx, { userId: user.userId, walletId, currency, amount, key, now: new Date() })
    })
  })
  implement(api, routes.countClick, async ({ params, ip, request }) =>
    countVisit(context, { code: params.code, ip, userAgent: request.headers['user-agent'], now: new Date() }),
  )
  implement(api, routes.listAffiliates, ({ query }) => listAffiliates(context.db, query))
  implement(api, routes.changeAffiliate, ({ user, params, body }) =>
    changeAffiliate(context, user, { userId: params.userId, state: body.state, now: new Date() }),
  )
  implement(api, routes.exportAffiliates, async ({ user, ip, reply }) => {
    await requireWithinLimit(context, 'export', { ip, userId: user.userId })
    reply.header('content-disposition', 'attachment; filename="affiliates.csv"')
    return exportAffiliates(context.db)
  })
}
