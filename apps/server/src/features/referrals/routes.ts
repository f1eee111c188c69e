import * as routes from '@wakestone/contract/routes/referrals'
import { type Api, implement } from '#src/http/implement.ts'
import { changeCode, joinFreeQueue, setReferrer, showCodeById, showOwnCode, validateCode } from './service.ts'

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
  implement(api, routes.joinFreeQueue, async ({ user }) => joinFreeQueue(context, user.userId))
}
