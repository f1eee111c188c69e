import { DomainError } from '@wakestone/contract/errors'
import { idSchema } from '@wakestone/contract/primitives'
import { websiteImageName } from '@wakestone/contract/websites/content'
import * as routes from '@wakestone/contract/websites/craftums-routes'
import { websiteImage } from '@wakestone/contract/websites/image-transport'
import { requireWithinLimit } from '#src/features/ground/limits/service.ts'
import { type Api, implement } from '#src/http/implement.ts'
import { sendMedia } from '#src/http/send-media.ts'
import { implementTransport } from '#src/http/transports.ts'
import { addImages, findWebsiteImage, listImages, removeImage } from './service.ts'

export function registerWebsiteImageRoutes(api: Api): void {
  const { context } = api
  implement(api, routes.listCraftumImages, ({ params }) => listImages(context, params.id))
  implement(api, routes.addCraftumImages, async ({ params, user, files }) => {
    await requireWithinLimit(context, 'websitePictures', { userId: user.userId })
    return addImages(context, { websiteId: params.id, files })
  })
  implement(api, routes.deleteCraftumImage, ({ params }) => removeImage(context, params.id, params.name))

  implementTransport(api, websiteImage, async ({ params: { craftumId, name }, reply }) => {
    const missing = new DomainError('resource_not_found')
    if (!idSchema.safeParse(craftumId).success || !websiteImageName.safeParse(name).success) throw missing
    const content = await findWebsiteImage(context.db, craftumId, name)
    if (content === undefined) throw missing
    return sendMedia(reply, { type: websiteImage.type, content })
  })
}
