import { DomainError } from '@wakestone/contract/errors'
import * as routes from '@wakestone/contract/accounts/consents-routes'
import { type Api, implement } from '#src/http/implement.ts'
import { listConsentsOf, noteConsent } from './service.ts'

export function registerConsentRoutes(api: Api): void {
  const { context } = api
  implement(api, routes.listConsents, async ({ params }) => listConsentsOf(context.db, params.id))
  implement(api, routes.giveConsent, async ({ params, user, body, ip }) => {
    if (user.userId !== params.id) throw new DomainError('access_denied')
    await noteConsent(context, { userId: user.userId, language: user.language, ip }, body)
  })
}
