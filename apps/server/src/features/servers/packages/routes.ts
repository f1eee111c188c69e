import { Readable } from 'node:stream'
import { DomainError } from '@wakestone/contract/errors'
import * as routes from '@wakestone/contract/servers/packages-routes'
import { packageFileThrough, packFile } from '@wakestone/contract/servers/packages-transports'
import type { EngineCatalogue } from '#src/adapters/engines/catalogue.ts'
import { isSigned } from '#src/adapters/packages/signed-files.ts'
import { type Source, SourceUnavailableError } from '#src/adapters/packages/source.ts'
import { requireWithinLimit } from '#src/features/ground/limits/service.ts'
import { checkServerAccess } from '#src/http/access.ts'
import { type Api, Answer, implement } from '#src/http/implement.ts'
import type { Principal } from '#src/http/principal.ts'
import { implementTransport } from '#src/http/transports.ts'
import { listLocks } from './locks.ts'
import { openPackFile } from './pack-files.ts'
import { takePack } from './packs.ts'
import { hasPack } from './service.ts'
import { findPlace, getPackageProject, listPackageHeads, searchPackages } from './search.ts'
import * as service from './service.ts'
import { changeUpdateRule, listUpdates } from './updates.ts'

export function registerPackageRoutes(
  api: Api,
  {
    sources,
    engines,
    artifactUrl,
  }: { sources: () => readonly Source[]; engines: () => EngineCatalogue; artifactUrl: () => string },
): void {
  const { context } = api
  /** Looking costs others something, changing stops the game. */
  const limit = (user: { userId: string }, server: { id: string }, { dry_run }: { dry_run: boolean }) =>
    dry_run
      ? requireWithinLimit(context, 'packages', { userId: user.userId })
      : requireWithinLimit(context, 'power', { serverOfUser: `${user.userId} ${server.id}` })
  const deps = () => ({ ...context, sources: sources(), engines: engines() })
  /** The server that a question names, where its caller may look at it. */
  const placeOf = async (user: Principal | undefined, serverId: string | undefined) => {
    if (serverId === undefined) return undefined
    if (user === undefined) throw new DomainError('server_id_not_found', { resource: 'server' })
    return findPlace(context, await checkServerAccess(context, user, serverId, 'server.manage.read'), user.userId)
  }

  implement(api, routes.searchPackages, async ({ user, query, request, reply }) => {
    await requireWithinLimit(context, 'packages', { ip: request.ip })
    const place = await placeOf(user, query.server)
    const leaving = new AbortController()
    reply.raw.once('close', () => leaving.abort())
    return searchPackages({ sources: sources() }, place, query, leaving.signal)
  })
  implement(api, routes.getPackageProject, async ({ user, params, query, request }) => {
    await requireWithinLimit(context, 'packages', { ip: request.ip })
    const place = await placeOf(user, query.server)
    return getPackageProject({ sources: sources() }, place, params.name, AbortSignal.timeout(15_000))
  })

  implement(api, routes.listPackageHeads, async ({ user, query, request }) => {
    await requireWithinLimit(context, 'packages', { ip: request.ip })
    const place = await placeOf(user, query.server)
    return listPackageHeads({ sources: sources() }, place, query.names ?? [])
  })

  implement(api, routes.listPackages, ({ server }) => service.listPackages(context, server.id))
  implement(api, routes.installPackages, async ({ server, user, body }) => {
    await limit(user, server, body)
    const { preview, id, stops } = await service.installPackages(deps(), { server, userId: user.userId }, body)
    if (preview !== undefined) return new Answer(200, preview)
    return new Answer(202, { install_package_process_id: id, stop_game_process_id: stops ? id : null })
  })
  implement(api, routes.takePack, async ({ server, user, body }) => {
    await limit(user, server, { dry_run: false })
    return takePack({ ...deps(), artifactUrl: artifactUrl() }, server, body.path)
  })
  implement(api, routes.uninstallPackages, async ({ server, user, body }) => {
    await limit(user, server, body)
    const { preview, id, stops } = await service.uninstallPackages(deps(), { server, userId: user.userId }, body)
    if (preview !== undefined) return new Answer(200, preview)
    return new Answer(202, { uninstall_package_process_id: id, stop_game_process_id: stops ? id : null })
  })

  implement(api, routes.listPackageLocks, ({ server, query }) => listLocks(context.db, server.id, query))
  implement(api, routes.rollBackPackages, async ({ server, user, params, body }) => {
    await limit(user, server, body)
    const asked = { server, userId: user.userId, lockId: params.lock_id, ...body }
    const { preview, id, stops } = await service.rollBackPackages(deps(), asked)
    if (preview !== undefined) return new Answer(200, preview)
    return new Answer(202, { rollback_package_process_id: id, stop_game_process_id: stops ? id : null })
  })

  implement(api, routes.listPackageUpdates, async ({ server, user }) => {
    await limit(user, server, { dry_run: true })
    return listUpdates(deps(), { server, userId: user.userId })
  })
  implement(api, routes.takePackageUpdates, async ({ server, user, body }) => {
    await limit(user, server, body)
    const { preview, id, stops } = await service.takeUpdates(deps(), { server, userId: user.userId }, body)
    if (preview !== undefined) return new Answer(200, preview)
    return new Answer(202, { install_package_process_id: id, stop_game_process_id: stops ? id : null })
  })
  implement(api, routes.changePackageUpdateRule, ({ server, body }) => changeUpdateRule(context.db, server.id, body))

  implement(api, routes.getPackageRules, ({ server }) => service.getPackageRules(context, server))
  implement(api, routes.changePackageRules, ({ params, body }) => service.changePackageRules(context, params.id, body))

  implementTransport(api, packFile, async ({ params, query, reply }) => {
    const path = `/artifacts/packs/${params.sha256}`
    if (!isSigned(context.secrets, { ...query, path, until: Number(query.until) }))
      throw new DomainError('transfer_ended')
    const isOwn = await hasPack(context.db, params.sha256, query.server)
    const found = isOwn ? await openPackFile(context.settings, params.sha256) : undefined
    if (found === undefined) throw new DomainError('resource_not_found')
    return reply
      .headers({ 'content-type': packFile.type, 'content-length': found.size, 'cache-control': 'private, no-store' })
      .send(found.stream)
  })
  implementTransport(api, packageFileThrough, async ({ params, query, reply, request }) => {
    const path = `/artifacts/through/${params.source}/${params.address}`
    if (!isSigned(context.secrets, { ...query, path, until: Number(query.until) }))
      throw new DomainError('transfer_ended')
    const url = Buffer.from(params.address, 'base64url').toString()
    const through = sources().find(({ id }) => id === params.source)?.through
    if (through === undefined || !through.covers(url)) throw new DomainError('resource_not_found')
    const leaving = new AbortController()
    request.raw.once('close', () => leaving.abort())
    try {
      const bytes = await through.open(url, AbortSignal.any([leaving.signal, AbortSignal.timeout(600_000)]))
      return reply
        .headers({ 'content-type': packageFileThrough.type, 'cache-control': 'private, no-store' })
        .send(Readable.from(bytes))
    } catch (error) {
      if (!(error instanceof SourceUnavailableError)) throw error
      throw new DomainError('package_source_unavailable', { source: params.source })
    }
  })
}
