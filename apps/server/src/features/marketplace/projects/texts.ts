/** Descriptions as they come from authors, checked and made into what pages show. */
import { DomainError } from '@wakestone/contract/errors'
import type { Language } from '@wakestone/contract/primitives'
import { projectLimits } from '@wakestone/contract/marketplace/values'
import { renderAuthorMarkdown } from '#src/features/site/documents/service.ts'
import type { DescriptionRow } from './repo.ts'

type Given = { language: Language; short_description: string; description: string }

/**
 * @throws DomainError `missing_original_description`, `short_description_too_long`, `description_too_long`, and
 *   `invalid_request` for what cannot be read in time.
 */
export async function prepareDescriptions(given: readonly Given[]): Promise<Omit<DescriptionRow, 'project_id'>[]> {
  if (given.length === 0) throw new DomainError('missing_original_description', { resource: 'market_project' })
  if (new Set(given.map(({ language }) => language)).size < given.length)
    throw new DomainError('invalid_request', { descriptions: 'one of each language' })
  const { shortDescription, description: most } = projectLimits
  for (const { short_description, description } of given) {
    if (short_description.length > shortDescription.max)
      throw new DomainError('short_description_too_long', { resource: 'market_project', limit: shortDescription.max })
    if (description.length > most)
      throw new DomainError('description_too_long', { resource: 'market_project', limit: most })
  }
  const rows: Omit<DescriptionRow, 'project_id'>[] = []
  for (const [index, one] of given.entries()) {
    const html = await renderAuthorMarkdown(one.description)
    if (html === undefined)
      throw new DomainError('invalid_request', { [`descriptions.${index}.description`]: 'markdown' })
    rows.push({ ...one, html, is_original: index === 0 })
  }
  return rows
}
