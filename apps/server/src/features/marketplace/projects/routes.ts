import { DomainError } from '@wakestone/contract/errors'
import { mediaNameSchema, projectMedia } from '@wakestone/contract/marketplace/media-transport'
import * as routes from '@wakestone/contract/marketplace/projects-routes'
import { idSchema } from '@wakestone/contract/primitives'
import { requireWithinLimit } from '#src/features/ground/limits/service.ts'
import { countView } from '#src/features/marketplace/metrics/service.ts'
import { type Api, implement } from '#src/http/implement.ts'
import { sendMedia } from '#src/http/send-media.ts'
import { implementTransport } from '#src/http/transports.ts'
import { readMedia } from './media.ts'
import * as service from './service.ts'

export function registerProjectRoutes(api: Api): void {
  const { context } = api
  const limit = (user: { userId: string }) => requireWithinLimit(context, 'projects', { userId: user.userId })

  implement(api, routes.getProject, async ({ params, query, user, ip }) => {
    const found = await service.findVisibleProject(context.db, user, params.slug)
    if (!found.isMember) await countView(context, { projectId: found.project.id, ip, country: user?.countryCode })
    return service.describeProject(context.db, found, { caller: user, language: query.language })
  })
  implement(api, routes.createProject, async ({ user, body, files }) => {
    await limit(user)
    return service.createProject(context, user, { body, files })
  })
  implement(api, routes.changeProject, async ({ user, params, body, files }) => {
    await limit(user)
    return service.changeProject(context, user, { key: params.slug, body, files })
  })
  implement(api, routes.deleteProjectMedia, ({ user, params }) =>
    service.deleteMedia(context, user, { key: params.slug, name: params.name }),
  )
  implement(api, routes.followProject, ({ user, params }) =>
    service.follow(context, user, { key: params.slug, follows: true }),
  )
  implement(api, routes.unfollowProject, ({ user, params }) =>
    service.follow(context, user, { key: params.slug, follows: false }),
  )
  implement(api, routes.setProjectMember, ({ user, params, body }) =>
    service.setMember(context, user, { key: params.slug, userId: params.userId, role: body.role }),
  )
  implement(api, routes.addProjectMember, async ({ user, params, body }) => {
    await limit(user)
    return service.addMember(context, user, { key: params.slug, username: body.username, role: body.role })
  })
  implement(api, routes.previewText, async ({ user, body }) => {
    await requireWithinLimit(context, 'previews', { userId: user.userId })
    return { html: await service.previewText(body.text) }
  })
  implement(api, routes.featuredProjects, ({ query }) => service.listFeatured(context.db, query.slugs, query.language))
  implement(api, routes.removeProjectMember, ({ user, params }) =>
    service.removeMember(context, user, { key: params.slug, userId: params.userId }),
  )

  implementTransport(api, projectMedia, async ({ params, reply }) => {
    const missing = new DomainError('resource_not_found')
    if (!idSchema.safeParse(params.projectId).success || !mediaNameSchema.safeParse(params.name).success) throw missing
    const bytes = await readMedia(context.settings, params.projectId, params.name)
    if (bytes === undefined) throw missing
    return sendMedia(reply, { type: params.name.endsWith('.webm') ? 'video/webm' : projectMedia.type, content: bytes })
  })
}
