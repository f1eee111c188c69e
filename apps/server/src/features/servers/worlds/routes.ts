import { DomainError } from '@wakestone/contract/errors'
import * as routes from '@wakestone/contract/servers/worlds-routes'
import { createTicket } from '#src/features/servers/files/service.ts'
import { requireWithinLimit } from '#src/features/ground/limits/service.ts'
import { type Held, watchServerRight } from '#src/http/held-right.ts'
import { type Api, implement } from '#src/http/implement.ts'
import type { Principal } from '#src/http/principal.ts'
import { tellLines } from '#src/http/tell-lines.ts'
import * as service from './service.ts'

export function registerWorldRoutes(api: Api): void {
  const { context } = api
  type Call = { server: Parameters<typeof service.listWorlds>[1]; user: Principal }
  const on = ({ server, user }: Call) => ({ server, userId: user.userId })

  implement(api, routes.listWorlds, ({ server }) => service.listWorlds(context, server))
  implement(api, routes.editWorld, (call) => service.editWorld(context, on(call), call.body))
  implement(api, routes.downloadWorld, async ({ server, user, body }) => {
    await requireWithinLimit(context, 'files', { userId: user.userId })
    const paths = await service.prepareDownload(context, server, body.world)
    return createTicket(api, { user, server, asked: { purpose: 'archive', paths, format: 'zip' } })
  })
  implement(api, routes.importWorld, (call) => service.importWorld(context, on(call), call.body))
  implement(api, routes.duplicateWorld, (call) => service.duplicateWorld(context, on(call), call.body))
  implement(api, routes.renameWorld, (call) => service.renameWorld(context, on(call), call.body))
  implement(api, routes.resetDimension, (call) => service.resetDimension(context, on(call), call.body))
  implement(api, routes.switchWorld, (call) => service.switchWorld(context, on(call), call.body))
  implement(api, routes.createWorld, (call) => service.createWorld(context, on(call), call.body))
  implement(api, routes.deleteWorld, (call) => service.deleteWorld(context, on(call), call.body))
  implement(api, routes.pruneWorld, (call) => service.pruneWorld(context, on(call), call.body))
  implement(api, routes.scanWorld, (call) =>
    tellLines(call.reply, hold(call), (signal) => service.scanWorld(context, call.server, call.query, signal)),
  )

  /** It ends with the right of who reads it. */
  function hold({ server, user }: { server: { id: string }; user: Principal }): Held {
    const ending = new AbortController()
    const close = watchServerRight(api, {
      user,
      serverId: server.id,
      capability: 'server.manage',
      onLost: () => ending.abort(new DomainError('transfer_ended', { resource: 'file' })),
    })
    return { signal: ending.signal, close }
  }
}
