import { redeemIntoWallet as intoWallet, redeemOnService as onService } from '@wakestone/contract/sales/vouchers-routes'
import { countGuesses } from '#src/features/sales/vouchers/service.ts'
import { type Api, implement } from '#src/http/implement.ts'
import { redeemIntoWallet, redeemOnService } from './service.ts'

export function registerRedemptionRoutes(api: Api): void {
  const { context } = api
  implement(api, onService, ({ params, body, user: { userId }, ip, idempotencyKey: key }) =>
    countGuesses(context, { ip, userId }, () =>
      redeemOnService(context, { serviceId: params.id, userId, code: body.voucher, key, now: new Date() }),
    ),
  )
  implement(api, intoWallet, ({ params, body, user: { userId }, ip, idempotencyKey: key }) =>
    countGuesses(context, { ip, userId }, () =>
      redeemIntoWallet(context, { walletId: params.id, userId, code: body.voucher, key, now: new Date() }),
    ),
  )
}
