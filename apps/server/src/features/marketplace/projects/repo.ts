import { type Selectable, sql } from 'kysely'
import type { Language } from '@wakestone/contract/primitives'
import type {
  GameTag,
  MediaKind,
  ProjectRole,
  ProjectType,
  ProjectVisibility,
} from '@wakestone/contract/marketplace/values'
import type { Handle, Transaction } from '#src/db/client.ts'
import type { ProjectDescriptions, ProjectMedia, Projects } from '#src/db/types.gen.ts'

export type ProjectRow = Omit<Selectable<Projects>, 'project_type' | 'game_tags' | 'visibility'> & {
  project_type: ProjectType
  game_tags: GameTag[]
  visibility: ProjectVisibility
}
export type MediaRow = Omit<Selectable<ProjectMedia>, 'kind'> & { kind: MediaKind }
export type DescriptionRow = Omit<Selectable<ProjectDescriptions>, 'language'> & { language: Language }
export type MemberRow = { user_id: string; username: string; role: ProjectRole }

const uuid = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i

/** @param key slug or id */
export async function findProject(db: Handle, key: string): Promise<ProjectRow | undefined> {
  const row = await db
    .selectFrom('projects')
    .selectAll()
    .where(uuid.test(key) ? 'id' : 'slug', '=', key.toLowerCase())
    .executeTakeFirst()
  return row as ProjectRow | undefined
}

/** With a lock: whoever changes a project waits for the others. */
export async function lockProject(trx: Transaction, id: string): Promise<ProjectRow | undefined> {
  const row = await trx.selectFrom('projects').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  return row as ProjectRow | undefined
}

export async function selectProjects(db: Handle, ids: readonly string[]): Promise<ProjectRow[]> {
  if (ids.length === 0) return []
  const rows = await db.selectFrom('projects').selectAll().where('id', 'in', ids).execute()
  return rows as ProjectRow[]
}

export async function selectIdsBySlug(db: Handle, slugs: readonly string[]): Promise<{ id: string; slug: string }[]> {
  if (slugs.length === 0) return []
  return db.selectFrom('projects').select(['id', 'slug']).where('slug', 'in', slugs).execute()
}

export async function isSlugTaken(db: Handle, slug: string, but?: string): Promise<boolean> {
  const row = await db.selectFrom('projects').select('id').where('slug', '=', slug).executeTakeFirst()
  return row !== undefined && row.id !== but
}

type ProjectFacts = Partial<
  Pick<
    ProjectRow,
    | 'slug'
    | 'name'
    | 'project_type'
    | 'game_tags'
    | 'labels'
    | 'author_name'
    | 'website_url'
    | 'translation_prompt'
    | 'license'
    | 'visibility'
    | 'archived_at'
    | 'released_at'
    | 'taken_down_at'
    | 'takedown_reason'
    | 'verified_at'
    | 'is_sample'
  >
>

export async function insertProject(
  trx: Transaction,
  facts: ProjectFacts & Pick<ProjectRow, 'slug' | 'name' | 'project_type' | 'visibility'>,
): Promise<string> {
  const { id } = await trx.insertInto('projects').values(facts).returning('id').executeTakeFirstOrThrow()
  return id
}

export async function updateProject(trx: Transaction, id: string, facts: ProjectFacts): Promise<void> {
  await trx
    .updateTable('projects')
    .set({ ...facts, updated_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute()
}

export async function replaceDescriptions(
  trx: Transaction,
  projectId: string,
  rows: readonly Omit<DescriptionRow, 'project_id'>[],
): Promise<void> {
  await trx.deleteFrom('project_descriptions').where('project_id', '=', projectId).execute()
  if (rows.length === 0) return
  await trx
    .insertInto('project_descriptions')
    .values(rows.map((row) => ({ ...row, project_id: projectId })))
    .execute()
}

export async function selectDescriptions(db: Handle, ids: readonly string[]): Promise<DescriptionRow[]> {
  if (ids.length === 0) return []
  const rows = await db.selectFrom('project_descriptions').selectAll().where('project_id', 'in', ids).execute()
  return rows as DescriptionRow[]
}

/** Of machines, in languages that the author has left empty, and of the text as it is now. */
export async function selectTranslations(
  db: Handle,
  ids: readonly string[],
): Promise<(Omit<DescriptionRow, 'is_original'> & { language: Language })[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<Omit<DescriptionRow, 'is_original'>>`
    select made.project_id, made.language, made.short_description, made.description, made.html
    from project_translations made
    join projects project on project.id = made.project_id
    join project_descriptions original on original.project_id = made.project_id and original.is_original
    where made.project_id = any(${[...ids]}::uuid[]) and made.state = 'done'
      and made.source_digest = translation_source(original, project.translation_prompt)
      and not exists (
        select from project_descriptions written
        where written.project_id = made.project_id and written.language = made.language
      )`.execute(db)
  return rows
}

/** Without the long texts. */
export async function selectShortDescriptions(
  db: Handle,
  ids: readonly string[],
): Promise<Pick<DescriptionRow, 'project_id' | 'language' | 'short_description' | 'is_original'>[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('project_descriptions')
    .select(['project_id', 'language', 'short_description', 'is_original'])
    .where('project_id', 'in', ids)
    .execute()
  return rows as DescriptionRow[]
}

export async function findRole(db: Handle, projectId: string, userId: string): Promise<ProjectRole | undefined> {
  const row = await db
    .selectFrom('project_members')
    .select('role')
    .where('project_id', '=', projectId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.role as ProjectRole | undefined
}

export async function selectMembers(db: Handle, projectId: string): Promise<MemberRow[]> {
  const rows = await db
    .selectFrom('project_members')
    .innerJoin('users', 'users.id', 'project_members.user_id')
    .select(['project_members.user_id', 'users.username', 'project_members.role'])
    .where('project_id', '=', projectId)
    .where('users.destroyed_at', 'is', null)
    .orderBy('project_members.created_at')
    .execute()
  return rows as MemberRow[]
}

export async function writeMember(
  trx: Transaction,
  { projectId, userId, role }: { projectId: string; userId: string; role: ProjectRole },
): Promise<void> {
  await trx
    .insertInto('project_members')
    .values({ project_id: projectId, user_id: userId, role })
    .onConflict((conflict) => conflict.columns(['project_id', 'user_id']).doUpdateSet({ role }))
    .execute()
}

export async function deleteMember(trx: Transaction, projectId: string, userId: string): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('project_members')
    .where('project_id', '=', projectId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function countOwned(db: Handle, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('project_members')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('role', '=', 'owner')
    .executeTakeFirstOrThrow()
  return count
}

export async function findUsername(db: Handle, userId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('users')
    .select('username')
    .where('id', '=', userId)
    .where('destroyed_at', 'is', null)
    .executeTakeFirst()
  return row?.username
}

/** By name, as it is typed. */
export async function findUserId(db: Handle, username: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where(sql`lower(username)`, '=', username.toLowerCase())
    .where('destroyed_at', 'is', null)
    .executeTakeFirst()
  return row?.id
}

export async function isUser(db: Handle, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('destroyed_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

export async function selectMedia(db: Handle, ids: readonly string[]): Promise<MediaRow[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('project_media')
    .selectAll()
    .where('project_id', 'in', ids)
    .orderBy('created_at')
    .orderBy('name')
    .execute()
  return rows as MediaRow[]
}

/** A second icon takes the place of the first. @returns names that are not used any more. */
export async function insertMedia(trx: Transaction, row: Omit<MediaRow, 'created_at'>): Promise<string[]> {
  const replaced =
    row.kind === 'icon' || row.kind === 'thumbnail'
      ? await trx
          .deleteFrom('project_media')
          .where('project_id', '=', row.project_id)
          .where('kind', '=', row.kind)
          .returning('name')
          .execute()
      : []
  await trx
    .insertInto('project_media')
    .values({ ...row, created_at: sql<Date>`clock_timestamp()` })
    .onConflict((conflict) => conflict.columns(['project_id', 'name']).doNothing())
    .execute()
  return replaced.map(({ name }) => name).filter((name) => name !== row.name)
}

export async function deleteMedia(trx: Transaction, projectId: string, name: string): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('project_media')
    .where('project_id', '=', projectId)
    .where('name', '=', name)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function insertFollow(db: Handle, projectId: string, userId: string): Promise<void> {
  await db
    .insertInto('project_follows')
    .values({ project_id: projectId, user_id: userId })
    .onConflict((conflict) => conflict.columns(['project_id', 'user_id']).doNothing())
    .execute()
}

export async function deleteFollow(db: Handle, projectId: string, userId: string): Promise<void> {
  await db.deleteFrom('project_follows').where('project_id', '=', projectId).where('user_id', '=', userId).execute()
}

export async function isFollowed(db: Handle, projectId: string, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('project_follows')
    .select('user_id')
    .where('project_id', '=', projectId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row !== undefined
}

export type LatestRow = {
  project_id: string
  id: string
  version: string
  release_type: 'stable' | 'latest' | 'private'
  published_at: Date
  game_versions: string[]
  loaders: string[]
}
/** Of each project the newest stable release; else the newest of the channel `latest`. */
export async function selectLatest(db: Handle, ids: readonly string[]): Promise<LatestRow[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<LatestRow>`
    select distinct on (project_id) project_id, id, version, release_type, published_at, game_versions, loaders
    from releases
    where project_id = any(${[...ids]}::uuid[]) and state = 'published' and release_type <> 'private'
      and archived_at is null
    order by project_id, release_type = 'stable' desc, id desc`.execute(db)
  return rows
}
