import { DomainError } from '@wakestone/contract/errors'
import * as routes from '@wakestone/contract/accounts/data-exports-routes'
import { exportFile } from '@wakestone/contract/transport'
import { type Api, implement } from '#src/http/implement.ts'
import { implementTransport } from '#src/http/transports.ts'
import { linkToExport, listExports, openExport, requestExport } from './export.ts'

/** An administrator may see that there are copies, not have one. */
function requireSelf(user: { userId: string }, id: string): void {
  if (user.userId !== id) throw new DomainError('access_denied')
}

export function registerPersonalDataRoutes(api: Api): void {
  const { context } = api
  implement(api, routes.listDataExports, async ({ params }) => listExports(context, params.id))
  implement(api, routes.requestDataExport, async ({ params, user }) => {
    requireSelf(user, params.id)
    return requestExport(context, params.id)
  })
  implement(api, routes.openDataExport, async ({ params, user }) => {
    requireSelf(user, params.id)
    return linkToExport(context, { userId: params.id, exportId: params.exportId })
  })
  implementTransport(api, exportFile, async ({ params, reply }) => {
    const { stream, bytes, madeAt } = await openExport(context, params.code)
    return reply
      .headers({
        'content-type': 'application/zip',
        'content-length': bytes,
        'content-disposition': `attachment; filename="wakestone-${madeAt.toISOString().slice(0, 10)}.zip"`,
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
      })
      .send(stream)
  })
}
