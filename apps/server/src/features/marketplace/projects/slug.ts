/** Addresses of projects. */
import { randomInt } from 'node:crypto'
import { canCreateProjectWithoutSuffix, type Capabilities } from '@wakestone/contract/capabilities'
import { DomainError } from '@wakestone/contract/errors'
import { isGoodSlug, slugFromName } from '@wakestone/contract/marketplace/schemas'
import { projectLimits } from '@wakestone/contract/marketplace/values'
import type { Handle } from '#src/db/client.ts'
import { isSlugTaken } from './repo.ts'

const letters = 'abcdefghijkmnpqrstuvwxyz23456789'
const inventSuffix = () => Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join('')

const badSlug = () => new DomainError('market_project_bad_slug', { resource: 'market_project' })

/**
 * The address of a new project, or of one whose address may still change. Who may not choose one as it is gets four
 * characters behind it, so that nobody takes a name that others are known by.
 * @throws DomainError `market_project_bad_slug`, `resource_already_exists`.
 */
export async function chooseSlug(
  db: Handle,
  {
    asked,
    name,
    capabilities,
    projectId,
  }: { asked: string | undefined; name: string; capabilities: Capabilities; projectId?: string },
): Promise<string> {
  const base = asked ?? slugFromName(name)
  if (!isGoodSlug(base)) throw badSlug()
  if (canCreateProjectWithoutSuffix(capabilities)) {
    if (await isSlugTaken(db, base, projectId))
      throw new DomainError('resource_already_exists', { resource: 'market_project' })
    return base
  }
  const short = base.slice(0, projectLimits.slug.max - 5).replace(/-+$/, '')
  for (;;) {
    const slug = `${short}-${inventSuffix()}`
    if (!(await isSlugTaken(db, slug))) return slug
  }
}
