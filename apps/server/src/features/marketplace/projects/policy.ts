/** Who may do what with a project. Whoever may not know of one is answered as if there were none. */
import { type Capabilities, hasCapability, isAdmin } from '@wakestone/contract/capabilities'
import { DomainError } from '@wakestone/contract/errors'
import { type ProjectRight, type ProjectRole, roleHasRight } from '@wakestone/contract/marketplace/values'
import type { Handle } from '#src/db/client.ts'
import { findProject, findRole, type ProjectRow } from './repo.ts'

export type Caller = { userId: string; capabilities: Capabilities } | undefined

export const projectMissing = () => new DomainError('resource_not_found', { resource: 'market_project' })

/** Rights on every project, of those who look after the marketplace. */
function hasRightOnAll({ capabilities }: NonNullable<Caller>, right: ProjectRight): boolean {
  if (isAdmin(capabilities) || hasCapability(capabilities, 'admin.marketplace')) return true
  return hasCapability(
    capabilities,
    right === 'read' ? 'marketplace.project-manage.read' : 'marketplace.project-manage.edit',
  )
}

export type FoundProject = { project: ProjectRow; role: ProjectRole | undefined; isMember: boolean }

/** @throws DomainError `resource_not_found` where the caller may not know of it. */
export async function findVisibleProject(db: Handle, caller: Caller, key: string): Promise<FoundProject> {
  const project = await findProject(db, key)
  if (project === undefined) throw projectMissing()
  const role = caller === undefined ? undefined : await findRole(db, project.id, caller.userId)
  const isMember = role !== undefined || (caller !== undefined && hasRightOnAll(caller, 'read'))
  const isOpen = project.visibility !== 'private' && project.taken_down_at === null
  if (!isOpen && !isMember) throw projectMissing()
  return { project, role, isMember }
}

/** @throws DomainError `resource_not_found`, or `not_project_member` where the role is not enough. */
export async function requireProjectRight(
  db: Handle,
  caller: NonNullable<Caller>,
  { key, right }: { key: string; right: 'see' | ProjectRight },
): Promise<FoundProject> {
  const found = await findVisibleProject(db, caller, key)
  if (right === 'see') return found
  const may = (found.role !== undefined && roleHasRight(found.role, right)) || hasRightOnAll(caller, right)
  if (!may) throw new DomainError('not_project_member', { resource: 'market_project' })
  return found
}
