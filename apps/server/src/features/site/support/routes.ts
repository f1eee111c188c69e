import { ticketStatuses, ticketTopics } from '@wakestone/contract/primitives'
import * as routes from '@wakestone/contract/site/support-routes'
import { checkServerAccess } from '#src/http/access.ts'
import { type Api, implement } from '#src/http/implement.ts'
import { createReview } from './reviews.ts'
import { createTicket, listTicketsOf } from './service.ts'

export function registerSupportRoutes(api: Api): void {
  implement(api, routes.createTicket, async ({ body, user, ip }) => createTicket(api.context, body, { user, ip }))
  implement(api, routes.listUserTickets, async ({ params }) => listTicketsOf(api.context, params.id))
  implement(api, routes.getTicketFieldOptions, async () => ({
    topics: [...ticketTopics],
    statuses: [...ticketStatuses],
  }))
  implement(api, routes.createReview, async ({ body, user, ip }) => {
    const server =
      body.server_id === undefined
        ? undefined
        : await checkServerAccess(api.context, user, body.server_id, 'server.manage.read')
    await createReview(api.context, body, { user, ip, server })
  })
}
