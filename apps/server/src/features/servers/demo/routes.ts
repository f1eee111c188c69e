import { DomainError } from '@wakestone/contract/errors'
import { getDemoServer } from '@wakestone/contract/servers/demo-routes'
import { locate } from '#src/features/ground/location/service.ts'
import { readVisitorKey } from '#src/http/cookies.ts'
import { type Api, implement } from '#src/http/implement.ts'
import { findDemoServer } from './service.ts'

export function registerDemoRoutes(api: Api): void {
  const { context, flags } = api
  implement(api, getDemoServer, async (call) => {
    const { user, request } = call
    const { country } = locate(call, context.settings)
    const key = user?.userId ?? readVisitorKey(request)
    const { 'demo-server': label } = await flags.evaluate({ key, userId: user?.userId, country, language: 'en' })
    const server = label === '' ? undefined : await findDemoServer(context, label)
    if (server === undefined) throw new DomainError('resource_not_found')
    return server
  })
}
