import type { AntibotMode } from '@wakestone/contract/servers/antibot'
import * as routes from '@wakestone/contract/servers/antibot-routes'
import { gatewayAntibot } from '@wakestone/contract/servers/antibot-transports'
import { type Api, implement } from '#src/http/implement.ts'
import { implementCall } from '#src/http/transports.ts'
import { changeAntibot, describeAntibot, takeReport } from './service.ts'

export function registerAntibotRoutes(api: Api): void {
  const { context } = api
  implement(api, routes.getAntibot, ({ server }) =>
    describeAntibot(context.db, server.id, server.antibot as AntibotMode),
  )
  implement(api, routes.changeAntibot, ({ server, user, body }) =>
    changeAntibot(context, { server, userId: user.userId }, body.mode),
  )
  implementCall(api, gatewayAntibot, async ({ body }) => {
    await takeReport(context, body)
    return {}
  })
}
