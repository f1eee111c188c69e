import { type ApiClient, ApiError } from '@wakestone/contract/client'
import type { Project } from '@wakestone/contract/marketplace/project'
import { getProject } from '@wakestone/contract/marketplace/projects-routes'
import { type ProjectRight, roleHasRight } from '@wakestone/contract/marketplace/values'

/** Null where there is no such project, or the caller may not do this with it. */
export async function loadOwnProject(api: ApiClient, slug: string, right: ProjectRight): Promise<Project | null> {
  const project = await api(getProject, { params: { slug } }).catch((error: unknown) => {
    if (error instanceof ApiError && error.status < 500) return null
    throw error
  })
  return project?.role != null && roleHasRight(project.role, right) ? project : null
}
