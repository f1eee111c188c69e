/** Projects of the marketplace: what their authors keep, who works on them, and who follows them. */
import type { z } from 'zod'
import { isAdmin } from '@wakestone/contract/capabilities'
import { DomainError } from '@wakestone/contract/errors'
import type {
  changeProjectBody,
  createProjectBody,
  Project,
  ProjectMember,
  ProjectSummary,
} from '@wakestone/contract/marketplace/project'
import type { Language } from '@wakestone/contract/primitives'
import { projectLimits, type ProjectRole, roleHasRight } from '@wakestone/contract/marketplace/values'
import type { Context } from '#src/context.ts'
import { inTransaction, type Transaction } from '#src/db/client.ts'
import { renderAuthorMarkdown } from '#src/features/site/documents/service.ts'
import { describeProject, describeProjects } from './describe.ts'
import { dropMedia, type GivenFile, keepMedia, type MadeMedia, withMedia } from './media.ts'
import { type Caller, findVisibleProject, projectMissing } from './policy.ts'
import * as repo from './repo.ts'
import { chooseSlug } from './slug.ts'
import { prepareDescriptions } from './texts.ts'

export { describeProject, describeProjects } from './describe.ts'
export { type Caller, findVisibleProject, type FoundProject, requireProjectRight } from './policy.ts'
export { findProject, findUsername, lockProject, type ProjectRow, updateProject } from './repo.ts'

type Deps = Pick<Context, 'db' | 'settings' | 'fleet' | 'logger'>
type Author = NonNullable<Caller>

/** @throws DomainError for what the fields, the address or the files are not. */
export async function createProject(
  deps: Deps,
  caller: Author,
  { body, files }: { body: z.output<typeof createProjectBody>; files: readonly GivenFile[] },
): Promise<Project> {
  const { descriptions, author_info, slug: asked, ...facts } = body
  const texts = await prepareDescriptions(descriptions)
  const slug = await chooseSlug(deps.db, { asked, name: body.name, capabilities: caller.capabilities })
  const id = await withMedia(deps, files, async (made) => {
    const projectId = await inTransaction(deps.db, async (trx) => {
      if ((await repo.countOwned(trx, caller.userId)) >= projectLimits.perUser)
        throw new DomainError('too_many_requests', { resource: 'market_project', limit: projectLimits.perUser })
      const added = await repo
        .insertProject(trx, { ...facts, ...author_info, labels: [...new Set(body.labels)], slug })
        .catch(tellTaken)
      await repo.replaceDescriptions(trx, added, texts)
      await repo.writeMember(trx, { projectId: added, userId: caller.userId, role: 'owner' })
      await addMedia(trx, added, made)
      return added
    })
    await keepMedia(deps.settings, projectId, made)
    return projectId
  })
  return showOwn(deps, caller, id, texts[0]?.language ?? 'en')
}

async function showOwn(deps: Deps, caller: Author, id: string, language: 'en' | 'pl' | 'de'): Promise<Project> {
  return describeProject(deps.db, await findVisibleProject(deps.db, caller, id), { caller, language })
}

function tellTaken(error: unknown): never {
  if ((error as { code?: string }).code === '23505')
    throw new DomainError('resource_already_exists', { resource: 'market_project' })
  throw error
}

/** A project of the installation's own, without members. @returns undefined where its address is taken. */
export async function provideProject(
  trx: Transaction,
  {
    facts,
    descriptions,
  }: {
    facts: Parameters<typeof repo.insertProject>[1]
    descriptions: Parameters<typeof repo.replaceDescriptions>[2]
  },
): Promise<string | undefined> {
  if (await repo.isSlugTaken(trx, facts.slug)) return undefined
  const id = await repo.insertProject(trx, facts)
  await repo.replaceDescriptions(trx, id, descriptions)
  return id
}

/** Which of these slugs a project has. */
export async function findTakenSlugs(db: Deps['db'], slugs: readonly string[]): Promise<ReadonlySet<string>> {
  return new Set((await repo.selectIdsBySlug(db, slugs)).map(({ slug }) => slug))
}

/** @throws DomainError as `createProject`, and `market_project_bad_slug` for an address that stays as it is. */
export async function changeProject(
  deps: Deps,
  caller: Author,
  { key, body, files }: { key: string; body: z.output<typeof changeProjectBody>; files: readonly GivenFile[] },
): Promise<Project> {
  const { project } = await findVisibleProject(deps.db, caller, key)
  const { descriptions, author_info, slug: asked, archived, ...facts } = body
  const texts = descriptions === undefined ? undefined : await prepareDescriptions(descriptions)
  await withMedia(deps, files, async (made) => {
    const dropped = await inTransaction(deps.db, async (trx) => {
      const known = await repo.lockProject(trx, project.id)
      if (known === undefined) throw projectMissing()
      const slug = await changedSlug(trx, caller, { known, asked })
      await repo
        .updateProject(trx, known.id, {
          ...withoutGaps(facts),
          ...author_info,
          ...(slug !== undefined && { slug }),
          ...(archived !== undefined && { archived_at: archived ? (known.archived_at ?? new Date()) : null }),
        })
        .catch(tellTaken)
      if (texts !== undefined) await repo.replaceDescriptions(trx, known.id, texts)
      return addMedia(trx, known.id, made)
    })
    await keepMedia(deps.settings, project.id, made)
    await dropMedia(deps.settings, project.id, dropped)
  })
  return showOwn(deps, caller, project.id, texts?.[0]?.language ?? 'en')
}

const withoutGaps = <Facts extends object>(facts: Facts) =>
  Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Facts]?: Exclude<Facts[Name], undefined>
  }

async function changedSlug(
  trx: Transaction,
  { capabilities }: Author,
  { known, asked }: { known: repo.ProjectRow; asked: string | undefined },
): Promise<string | undefined> {
  if (asked === undefined || asked === known.slug) return undefined
  if (known.released_at !== null)
    throw new DomainError('market_project_bad_slug', { resource: 'market_project', reason: 'released' })
  return chooseSlug(trx, { asked, name: known.name, capabilities, projectId: known.id })
}

/** @returns names of files that are shown no longer. @throws DomainError `invalid_request` beyond the most. */
async function addMedia(trx: Transaction, projectId: string, made: readonly MadeMedia[]): Promise<string[]> {
  const dropped: string[] = []
  for (const { path: _path, ...row } of made)
    dropped.push(...(await repo.insertMedia(trx, { ...row, project_id: projectId })))
  const all = await repo.selectMedia(trx, [projectId])
  const count = (kind: string) => all.filter((one) => one.kind === kind).length
  if (count('image') > projectLimits.images)
    throw new DomainError('invalid_request', { image: `at most ${projectLimits.images}` })
  if (count('video') > projectLimits.videos)
    throw new DomainError('invalid_request', { video: `at most ${projectLimits.videos}` })
  return dropped
}

export async function deleteMedia(
  deps: Deps,
  caller: Author,
  { key, name }: { key: string; name: string },
): Promise<void> {
  const { project } = await findVisibleProject(deps.db, caller, key)
  const isThere = await inTransaction(deps.db, (trx) => repo.deleteMedia(trx, project.id, name))
  if (!isThere) throw new DomainError('resource_not_found', { resource: 'market_project' })
  await dropMedia(deps.settings, project.id, [name])
}

export async function follow(
  deps: Deps,
  caller: Author,
  { key, follows }: { key: string; follows: boolean },
): Promise<void> {
  const { project } = await findVisibleProject(deps.db, caller, key)
  await (follows ? repo.insertFollow : repo.deleteFollow)(deps.db, project.id, caller.userId)
}

/** @throws DomainError `user_not_found`, `last_project_owner`, `too_many_requests`. */
export async function setMember(
  deps: Deps,
  caller: Author,
  { key, userId, role }: { key: string; userId: string; role: ProjectRole },
): Promise<ProjectMember[]> {
  const { project } = await findVisibleProject(deps.db, caller, key)
  return inTransaction(deps.db, async (trx) => {
    await repo.lockProject(trx, project.id)
    if (!(await repo.isUser(trx, userId))) throw new DomainError('user_not_found', { resource: 'user' })
    await repo.writeMember(trx, { projectId: project.id, userId, role })
    const members = await repo.selectMembers(trx, project.id)
    requireOwner(members)
    if (members.length > projectLimits.members)
      throw new DomainError('too_many_requests', { resource: 'market_project', limit: projectLimits.members })
    return members
  })
}

/** @throws DomainError as `setMember`. */
export async function addMember(
  deps: Deps,
  caller: Author,
  { key, username, role }: { key: string; username: string; role: ProjectRole },
): Promise<ProjectMember[]> {
  const userId = await repo.findUserId(deps.db, username)
  if (userId === undefined) throw new DomainError('user_not_found', { resource: 'user' })
  return setMember(deps, caller, { key, userId, role })
}

/** Those of them that everybody sees, in the order of their addresses. */
export async function listFeatured(
  db: Deps['db'],
  slugs: readonly string[],
  language: Language,
): Promise<ProjectSummary[]> {
  const found = new Map((await repo.selectIdsBySlug(db, slugs)).map(({ id, slug }) => [slug, id]))
  const shown = await describeProjects(
    db,
    [...new Set(slugs)].flatMap((slug) => found.get(slug) ?? []),
    language,
  )
  return shown.filter(({ visible }) => visible)
}

/** @throws DomainError `invalid_request` for what cannot be read in time. */
export async function previewText(text: string): Promise<string> {
  const html = await renderAuthorMarkdown(text)
  if (html === undefined) throw new DomainError('invalid_request', { text: 'markdown' })
  return html
}

/** Owners remove anybody, others themselves. @throws DomainError `not_project_member`, `resource_not_found`, `last_project_owner`. */
export async function removeMember(
  deps: Deps,
  caller: Author,
  { key, userId }: { key: string; userId: string },
): Promise<void> {
  const { project, role } = await findVisibleProject(deps.db, caller, key)
  if (
    userId !== caller.userId &&
    !(isAdmin(caller.capabilities) || (role !== undefined && roleHasRight(role, 'manage')))
  )
    throw new DomainError('not_project_member', { resource: 'market_project' })
  await inTransaction(deps.db, async (trx) => {
    await repo.lockProject(trx, project.id)
    if (!(await repo.deleteMember(trx, project.id, userId))) throw new DomainError('resource_not_found')
    requireOwner(await repo.selectMembers(trx, project.id))
  })
}

function requireOwner(members: readonly ProjectMember[]): void {
  if (!members.some(({ role }) => role === 'owner'))
    throw new DomainError('last_project_owner', { resource: 'market_project' })
}
