import * as routes from '@wakestone/contract/servers/packages-routes'
import type { EngineCatalogue } from '#src/adapters/engines/catalogue.ts'
import type { Source } from '#src/adapters/packages/source.ts'
import { requireWithinLimit } from '#src/features/ground/limits/service.ts'
import { type Api, Answer, implement } from '#src/http/implement.ts'
import { installPackages, listPackages, stopOf, uninstallPackages } from './service.ts'

export function registerPackageRoutes(
  api: Api,
  { sources, engines }: { sources: () => readonly Source[]; engines: () => EngineCatalogue },
): void {
  const { context } = api
  const limit = (user: { userId: string }, server: { id: string }) =>
    requireWithinLimit(context, 'power', { serverOfUser: `${user.userId} ${server.id}` })

  implement(api, routes.listPackages, ({ server }) => listPackages(context, server.id))
  implement(api, routes.installPackages, async ({ server, user, body }) => {
    await limit(user, server)
    const asked = { server, userId: user.userId }
    const { preview, id } = await installPackages({ ...context, sources: sources(), engines: engines() }, asked, body)
    if (preview !== undefined) return new Answer(200, preview)
    return new Answer(202, { install_package_process_id: id, stop_game_process_id: stopOf(server, id) })
  })
  implement(api, routes.uninstallPackages, async ({ server, user, body }) => {
    await limit(user, server)
    const { preview, id } = await uninstallPackages(context, { server, userId: user.userId }, body)
    if (preview !== undefined) return new Answer(200, preview)
    return new Answer(202, { uninstall_package_process_id: id, stop_game_process_id: stopOf(server, id) })
  })
}
