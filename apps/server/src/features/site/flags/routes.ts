import * as routes from '@wakestone/contract/site/flags-routes'
import { locate } from '#src/features/ground/location/service.ts'
import { giveVisitorKey, readVisitorKey } from '#src/http/cookies.ts'
import { type Api, implement } from '#src/http/implement.ts'
import { changeFlagBy, type FeatureFlags, listFlags } from './service.ts'

export function registerFlagRoutes(api: Api, flags: FeatureFlags): void {
  const { context } = api
  implement(api, routes.getFlagValues, async (call) => {
    const { user, request, reply, query } = call
    let key = user?.userId ?? readVisitorKey(request)
    // A visitor is told apart from others only while that decides something.
    if (key === undefined && (await flags.dealsByShare())) key = giveVisitorKey(reply, context.settings)
    const { country } = locate(call, context.settings)
    return flags.evaluate({ key, userId: user?.userId, country, language: query.language })
  })
  implement(api, routes.listFlags, async () => listFlags(context))
  implement(api, routes.changeFlag, async ({ user, params, body }) => {
    const changed = await changeFlagBy(context, user, { key: params.key, change: body })
    flags.forget()
    return changed
  })
}
