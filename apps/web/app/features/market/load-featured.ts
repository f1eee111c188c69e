import type { ProjectSummary } from '@wakestone/contract/marketplace/project'
import { featuredProjects } from '@wakestone/contract/marketplace/projects-routes'
import { loadFlagValues } from '#app/features/flags/load-flag-values.ts'
import type { Language } from '#app/i18n/languages.ts'
import type { WebContext } from '#app/load-context.ts'
import { builtInProjects } from './built-in-projects.ts'

/** Projects that the flag names; none of them is needed for the page to be whole. */
export async function loadFeatured(web: WebContext, language: Language): Promise<ProjectSummary[]> {
  try {
    const { 'featured-projects': wanted } = await loadFlagValues(web, language)
    const slugs = (wanted.length > 0 ? wanted : builtInProjects).join(',')
    return await web.api(featuredProjects, { query: { slugs, language } })
  } catch {
    return []
  }
}
