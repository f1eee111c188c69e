import { DomainError } from '@wakestone/contract/errors'
import * as routes from '@wakestone/contract/servers/mapview-routes'
import { mapTile, mapTileSchema } from '@wakestone/contract/servers/mapview-transports'
import { checkServerAccess } from '#src/http/access.ts'
import { Answer, type Api, implement } from '#src/http/implement.ts'
import type { Principal } from '#src/http/principal.ts'
import { implementTransport } from '#src/http/transports.ts'
import { findServer, type ServerRow } from '#src/features/servers/servers/service.ts'
import * as service from './service.ts'

/** Whoever may not see a map does not learn whether there is one. */
function hideRefusal(error: unknown): undefined {
  if (!(error instanceof DomainError)) throw error
}

/** How long a browser shows a tile before it asks whether it has changed. */
const KEPT_SECONDS = 300

export function registerMapRoutes(api: Api): void {
  const { context } = api
  const { db } = context

  implement(api, routes.getMapSettings, ({ server }) => service.getSettings(db, server.id))
  implement(api, routes.changeMapSettings, ({ server, body }) => service.changeSettings(context, server.id, body))
  implement(api, routes.getMapState, ({ server }) => service.describeState(context, server))
  implement(api, routes.drawMap, async ({ server, user }) => {
    return new Answer(202, await service.drawByHand(context, server, user.userId))
  })
  implement(api, routes.showMap, async ({ params, user }) => {
    const { server, isOpen } = await findVisible(params.id, user)
    // Where everybody may look, only those who may see the server have it drawn.
    const isWatched = user !== undefined && (!isOpen || (await maySee(server.id, user)))
    return service.showMap(context, server, { isWatched })
  })

  implementTransport(api, mapTile, async ({ params, user, request, reply }) => {
    const name = mapTileSchema.safeParse(params)
    const visible = name.success ? await findVisible(name.data.id, user).catch(hideRefusal) : undefined
    const found = visible && (await service.readTile(context, { ...name.data!, serverId: visible.server.id }))
    if (found === undefined) {
      if (visible === undefined) throw new DomainError('resource_not_found')
      // Maps have gaps, which are no errors; it may be drawn soon.
      const kept = `${visible.isOpen ? 'public' : 'private'}, max-age=${KEPT_SECONDS}`
      return reply.status(204).header('cache-control', kept).send()
    }
    try {
      void reply.headers({
        etag: found.tag,
        'cache-control': `${visible?.isOpen ? 'public' : 'private'}, max-age=${KEPT_SECONDS}`,
        'content-type': mapTile.type,
        'x-content-type-options': 'nosniff',
      })
      if (request.headers['if-none-match'] === found.tag) return await reply.status(304).send()
      const bytes = await found.bytes()
      if (bytes === undefined) throw new DomainError('resource_not_found')
      return await reply.send(bytes)
    } finally {
      await found.close()
    }
  })

  const maySee = (id: string, user: Principal) =>
    checkServerAccess(context, user, id, 'server.manage.read').then(
      () => true,
      (error: unknown) => hideRefusal(error) ?? false,
    )

  /** A server whose map the caller may see; of others nobody learns that they exist. */
  async function findVisible(id: string, user: Principal | undefined): Promise<{ server: ServerRow; isOpen: boolean }> {
    const server = await findServer(db, id)
    if (server !== undefined && (await service.isOpenToAll(db, server))) return { server, isOpen: true }
    const hidden = () => new DomainError('server_id_not_found', { resource: 'server' })
    if (server === undefined || user === undefined) throw hidden()
    await checkServerAccess(context, user, id, 'server.manage.read').catch((error: unknown) => {
      throw error instanceof DomainError ? hidden() : error
    })
    return { server, isOpen: false }
  }
}
