/** Pictures of websites: drawn anew in a box, kept beside the contents that name them. */
import { DomainError } from '@wakestone/contract/errors'
import { websiteLimits } from '@wakestone/contract/websites/content'
import { websiteImage } from '@wakestone/contract/websites/image-transport'
import type { WebsiteImage } from '@wakestone/contract/websites/website'
import { redraw } from '#src/adapters/inspector/redraw.ts'
import type { Context } from '#src/context.ts'
import { inTransaction, type Transaction } from '#src/db/client.ts'
import { lockWebsite } from '#src/features/websites/craftums/service.ts'
import { deleteImage, type ImageRow, insertImage, selectImages } from './repo.ts'

export { findContent as findWebsiteImage, selectImages as listWebsiteImages } from './repo.ts'

type Deps = Pick<Context, 'db' | 'fleet' | 'logger'>
type GivenFile = { field: string; path: string; size: number }

const describe = (websiteId: string, row: ImageRow): WebsiteImage => ({
  ...row,
  url: websiteImage.path.replace(':craftumId', websiteId).replace(':name', row.name),
})

export async function listImages({ db }: Pick<Context, 'db'>, websiteId: string): Promise<WebsiteImage[]> {
  return (await selectImages(db, websiteId)).map((row) => describe(websiteId, row))
}

/**
 * Adds all of them, or none.
 * @throws DomainError `invalid_file`, `website_is_full`, `resource_not_found`, `invalid_request` for other fields.
 */
export async function addImages(
  deps: Deps,
  { websiteId, files }: { websiteId: string; files: readonly GivenFile[] },
): Promise<WebsiteImage[]> {
  if (files.length === 0 || files.some(({ field }) => field !== 'image'))
    throw new DomainError('invalid_request', { image: 'required' })
  const made: (ImageRow & { content: Buffer })[] = []
  // One after the other: each is a box.
  for (const { path } of files) made.push(await draw(deps, path))
  await inTransaction(deps.db, async (trx) => {
    if ((await lockWebsite(trx, websiteId)) === undefined)
      throw new DomainError('resource_not_found', { resource: 'website' })
    for (const image of made) await insertImage(trx, websiteId, image)
    await requireRoom(trx, websiteId)
  })
  const names = new Set(made.map(({ name }) => name))
  return (await listImages(deps, websiteId)).filter(({ name }) => names.has(name))
}

async function draw({ fleet: { cluster }, logger }: Deps, path: string): Promise<ImageRow & { content: Buffer }> {
  // Beside what was sent, and gone with it.
  const given = { file: path, as: 'image', outFolder: `${path}-drawn`, most: websiteLimits.imageBytes } as const
  const found = await redraw({ cluster, logger }, given)
  if (found === undefined || found.width === null || found.height === null)
    throw new DomainError('invalid_file', { resource: 'file', file: 'image' })
  const { content, digest, width, height } = found
  return { name: `${digest}.webp`, width, height, bytes: content.length, content }
}

async function requireRoom(trx: Transaction, websiteId: string): Promise<void> {
  const all = await selectImages(trx, websiteId)
  const bytes = all.reduce((sum, image) => sum + image.bytes, 0)
  if (all.length > websiteLimits.images) throw new DomainError('website_is_full', { limit: websiteLimits.images })
  if (bytes > websiteLimits.allImageBytes)
    throw new DomainError('website_is_full', { limit: websiteLimits.allImageBytes })
}

/** @throws DomainError `resource_not_found` */
export async function removeImage({ db }: Pick<Context, 'db'>, websiteId: string, name: string): Promise<void> {
  if (!(await deleteImage(db, websiteId, name))) throw new DomainError('resource_not_found', { resource: 'file' })
}
