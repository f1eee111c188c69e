import { type Readable } from 'node:stream'
import { canAnswerTickets } from '@wakestone/contract/capabilities'
import { DomainError } from '@wakestone/contract/errors'
import { idSchema, ticketStatuses, ticketTopics } from '@wakestone/contract/primitives'
import * as routes from '@wakestone/contract/accounts/support-routes'
import * as transports from '@wakestone/contract/accounts/support-transports'
import { create as contentDisposition } from 'content-disposition'
import { checkServerAccess } from '#src/http/access.ts'
import { type Api, implement } from '#src/http/implement.ts'
import { implementTransport } from '#src/http/transports.ts'
import { createUserStreams } from '#src/http/user-stream.ts'
import { loadFor, readGiven } from './attachments.ts'
import * as desk from './desk.ts'
import * as macros from './macros.ts'
import { takeMail } from './mail-in.ts'
import { takeContext } from './server-context.ts'
import * as service from './service.ts'
import { openDoor } from './sso.ts'
import { followTickets } from './stream.ts'

export async function registerSupportRoutes(api: Api): Promise<void> {
  const { context } = api

  implement(api, routes.createTicket, async ({ body, user, ip, files }) => {
    const { server_id: serverId } = body
    if (serverId !== undefined && user === undefined)
      throw new DomainError('server_id_not_found', { resource: 'server' })
    const server =
      serverId === undefined || user === undefined
        ? undefined
        : await checkServerAccess(context, user, serverId, 'server.manage.read')
    return service.createTicket(context, body, {
      user,
      ip,
      files: await readGiven(files, body.file_names),
      ...(server !== undefined && { about: await takeContext(context, server) }),
    })
  })
  implement(api, routes.listUserTickets, async ({ params, query }) =>
    service.listTicketsOf(context, params.id, query.state),
  )
  implement(api, routes.getTicketFieldOptions, async () => ({
    topics: [...ticketTopics],
    statuses: [...ticketStatuses],
  }))
  implement(api, routes.openSupport, async ({ user }) => openDoor(context, user))
  implement(api, routes.getTicket, async ({ params }) => service.showTicket(context, params.id))
  implement(api, routes.writeTicketMessage, async ({ params, body, user, files }) =>
    service.writeMore(context, body, { id: params.id, user, files: await readGiven(files, body.file_names) }),
  )
  implement(api, routes.solveTicket, async ({ params }) => service.solveOwn(context, params.id))
  implement(api, routes.rateTicket, async ({ params, body }) => service.rateSupport(context, params.id, body))

  implement(api, routes.listDeskTickets, async ({ query, user }) => desk.listDesk(context, query, user))
  implement(api, routes.getDeskTicket, async ({ params }) => desk.showForDesk(context, params.ticketId))
  implement(api, routes.answerTicket, async ({ params, body, user, files }) =>
    desk.answer(context, body, { id: params.ticketId, user, files: await readGiven(files, body.file_names) }),
  )
  implement(api, routes.noteOnTicket, async ({ params, body, user }) =>
    desk.note(context, params.ticketId, user, body.message),
  )
  implement(api, routes.changeTicket, async ({ params, body, user }) =>
    desk.change(context, params.ticketId, body, user),
  )
  implement(api, routes.listMacros, async () => macros.listMacros(context))
  implement(api, routes.createMacro, async ({ body }) => macros.createMacro(context, body))
  implement(api, routes.changeMacro, async ({ params, body }) => macros.changeMacro(context, params.id, body))
  implement(api, routes.deleteMacro, async ({ params }) => macros.deleteMacro(context, params.id))

  registerAttachments(api)
  registerInbound(api)
  await registerStream(api)
}

function registerAttachments(api: Api): void {
  const { context } = api
  implementTransport(api, transports.ticketAttachment, async ({ params, user, reply }) => {
    const missing = new DomainError('resource_not_found')
    if (user === undefined || !idSchema.safeParse(params.id).success) throw missing
    const viewer = { userId: user.userId, isStaff: canAnswerTickets(user.capabilities) }
    const found = await loadFor(context, params.id, viewer)
    if (found === undefined) throw missing
    const isPicture = found.kind === 'picture'
    return reply
      .headers({
        'content-type': isPicture ? transports.ticketAttachment.type : 'text/plain; charset=utf-8',
        'content-length': found.content.length,
        'content-disposition': contentDisposition(found.name, { type: isPicture ? 'inline' : 'attachment' }),
        'cache-control': 'private, max-age=86400, immutable',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "sandbox; default-src 'none'",
        'cross-origin-resource-policy': 'same-origin',
      })
      .send(found.content)
  })
}

/** Bytes of a mail are read once it is known who sends them, and no more than may be. */
function registerInbound(api: Api): void {
  const { context } = api
  void api.app.register(async (app) => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    implementTransport({ ...api, app }, transports.inboundMail, async ({ request, reply }) => {
      const bytes = await readBounded(request.body as Readable | undefined, context.settings.SUPPORT_MAIL_BYTES)
      const answer = transports.inboundMail.answer.parse(await takeMail(context, bytes))
      return reply.status(200).send(answer)
    })
  })
}

/** @throws DomainError `request_too_large`. */
async function readBounded(body: Readable | undefined, most: number): Promise<Buffer> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of body ?? []) {
    size += (part as Buffer).length
    if (size > most) throw new DomainError('request_too_large')
    parts.push(part as Buffer)
  }
  return Buffer.concat(parts)
}

/** `ticket` with the id of one that has changed; `tickets` when nobody knows which. */
async function registerStream(api: Api): Promise<void> {
  const changes = await followTickets(api.context)
  api.app.addHook('onClose', () => changes.close())
  const streams = createUserStreams(api)
  implementTransport(api, transports.ticketStream, async ({ user, reply }) => {
    const isStaff = canAnswerTickets(user.capabilities)
    streams.open({ user, reply }, (send) =>
      changes.onChange((changed) => {
        if (changed === undefined) send('tickets', {})
        else if (isStaff || changed.user === user.userId) send('ticket', { id: changed.id })
      }),
    )
  })
}
