import * as routes from '@wakestone/contract/sales/referrals-routes'
import { type Api, implement } from '#src/http/implement.ts'
import { getAffiliate } from '@wakestone/contract/sales/affiliates-routes'
import { showAffiliate } from '#src/features/sales/affiliates/service.ts'
import { requireWithinLimit } from '#src/features/ground/limits/service.ts'
import { showReferrals } from './overview.ts'
import { exportReferrals, listReferrals, reviewReferral } from './reviews.ts'
import { changeCode, setReferrer, showCodeById, showOwnCode, validateCode } from './service.ts'

export function registerReferralRoutes(api: Api): void {
  const { context } = api
  implement(api, routes.getOwnReferralCode, async ({ params }) => showOwnCode(context, params.id))
  implement(api, routes.getReferralCode, async ({ params }) => showCodeById(context, params.id))
  implement(api, routes.changeReferralCode, async ({ params, body }) =>
    changeCode(context, params.userId, { oldCode: params.oldRef, code: body.code }),
  )
  implement(api, routes.validateReferralCode, async ({ params }) => validateCode(context, params.ref))
  implement(api, routes.setReferrer, async ({ params, body }) => setReferrer(context, params.userId, body.code))
  implement(api, routes.checkReferralCode, async ({ params }) => void (await validateCode(context, params.code)))
  implement(api, routes.getReferrals, ({ params }) => showReferrals(context, params.id, new Date()))
  implement(api, routes.listReferrals, ({ query }) => listReferrals(context.db, query))
  implement(api, routes.reviewReferral, ({ user, params, body }) =>
    reviewReferral(context, user, { userId: params.userId, review: body.review, now: new Date() }),
  )
  implement(api, routes.exportReferrals, async ({ user, ip, reply }) => {
    await requireWithinLimit(context, 'export', { ip, userId: user.userId })
    reply.header('content-disposition', 'attachment; filename="referrals.csv"')
    return exportReferrals(context.db)
  })
  implement(api, getAffiliate, async ({ params, query }) => ({
    ...(await showAffiliate(context, params.id, { days: query.days, now: new Date() })),
    referral_code: (await showOwnCode(context, params.id)).referral_code,
  }))
}
