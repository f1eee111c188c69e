import type { ApiClient } from '@wakestone/contract/client'
import type { ProjectSummary } from '@wakestone/contract/marketplace/project'
import { featuredProjects } from '@wakestone/contract/marketplace/projects-routes'
import { getFlagValues } from '@wakestone/contract/site/flags-routes'
import type { Language } from '#app/i18n/languages.ts'
import { builtInProjects } from './built-in-projects.ts'

/** Projects that the flag names; none of them is needed for the page to be whole. */
export async function loadFeatured(api: ApiClient, language: Language): Promise<ProjectSummary[]> {
  try {
    const { 'featured-projects': wanted } = await api(getFlagValues, { query: { language } })
    const slugs = (wanted.length > 0 ? wanted : builtInProjects).join(',')
    return await api(featuredProjects, { query: { slugs, language } })
  } catch {
    return []
  }
}
