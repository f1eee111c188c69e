import { DomainError } from '@wakestone/contract/errors'
import { createPackage as createPackageRoute } from '@wakestone/contract/marketplace/releases-routes'
import { packageFile } from '@wakestone/contract/servers/packages-transports'
import { isSigned } from '#src/adapters/packages/signed-files.ts'
import { requireWithinLimit } from '#src/features/ground/limits/service.ts'
import { type Api, implement } from '#src/http/implement.ts'
import { implementTransport } from '#src/http/transports.ts'
import { openArtifact } from '#src/features/marketplace/releases/service.ts'
import { createPackage, isHandedOut } from './service.ts'

export function registerCatalogueRoutes(api: Api): void {
  const { db, settings, secrets, logger } = api.context

  implement(api, createPackageRoute, async ({ server, user, body }) => {
    await requireWithinLimit(api.context, 'projects', { userId: user.userId })
    return createPackage(api.context, { server, user }, body)
  })

  implementTransport(api, packageFile, async ({ params, query, reply }) => {
    const path = `/artifacts/packages/${params.sha256}`
    if (!isSigned(secrets, { ...query, path, until: Number(query.until) })) throw new DomainError('transfer_ended')
    const found = await isHandedOut(db, params.sha256)
    const stream = found && (await openArtifact(settings, params.sha256))
    if (found !== undefined && stream === undefined)
      logger.error({ sha256: params.sha256 }, 'a file of a release is missing, or is not what it was')
    if (found === undefined || stream === undefined) throw new DomainError('resource_not_found')
    return reply
      .headers({
        'content-type': packageFile.type,
        'content-length': found.size,
        'cache-control': 'private, no-store',
        'x-content-type-options': 'nosniff',
      })
      .send(stream)
  })
}
