/** Releases as servers may have them. */
import { sql } from 'kysely'
import type { PublishedManifest } from '@wakestone/contract/marketplace/manifest'
import type { PackageLoader, ProjectType, ReleaseType } from '@wakestone/contract/marketplace/values'
import type { Handle } from '#src/db/client.ts'

export type OfferedRelease = {
  id: string
  project_id: string
  slug: string
  project_type: ProjectType
  labels: string[]
  visibility: string
  release_type: ReleaseType
  /** Nobody new gets it: withdrawn by its author or a moderator, or put away. */
  withdrawn: boolean
  loaders: PackageLoader[]
  game_versions: string[]
  manifest: PublishedManifest
  files: { id: string; sha256: string; size: number }[]
}

/** Of one project, or one name that several provide, the newest ones. */
const most = 500

/**
 * Releases of the project at this address, and those that say that they provide its name. What is malice, or lacks a
 * file, is left out; what not everybody may see is only for members.
 */
export async function selectOffered(
  db: Handle,
  { name, userId }: { name: string; userId: string | null },
): Promise<OfferedRelease[]> {
  const provided = JSON.stringify([{ name }])
  const { rows } = await sql<OfferedRelease>`
    select release.id, release.project_id, project.slug, project.project_type, project.labels, project.visibility,
      release.release_type, release.loaders, release.game_versions, release.manifest,
      (release.state = 'withdrawn' or release.archived_at is not null) as withdrawn, files.list as files
    from (
      select id from releases where project_id = (select id from projects where slug = ${name})
        and state in ('published', 'withdrawn')
      union
      select id from releases where state in ('published', 'withdrawn') and manifest -> 'provides' @> ${provided}::jsonb
    ) wanted
    join releases release on release.id = wanted.id
    join projects project on project.id = release.project_id
    join lateral (
      select jsonb_agg(jsonb_build_object('id', id, 'sha256', sha256, 'size', size)) as list,
        bool_or(deleted_at is not null or arrived_at is null
          or exists (select from quarantined_artifacts bad where bad.sha256 = artifact.sha256)) as spoilt
      from release_artifacts artifact where release_id = release.id
    ) files on not files.spoilt
    where project.taken_down_at is null and (
      (project.visibility <> 'private' and release.release_type <> 'private')
      or exists (select from project_members member
        where member.project_id = project.id and member.user_id = ${userId}::uuid))
    order by release.id desc limit ${most}`.execute(db)
  return rows
}

/** Whether a release for any of the loaders and the version of the game is being checked, that everybody could have then. */
export async function isAnyChecked(
  db: Handle,
  { loaders, gameVersion }: { loaders: readonly string[] | undefined; gameVersion: string | undefined },
): Promise<boolean> {
  const { rows } = await sql`
    select from releases release join projects project on project.id = release.project_id
    where release.state = 'checking' and release.release_type <> 'private'
      and project.visibility = 'public' and project.taken_down_at is null
      and (${loaders ?? null}::text[] is null or release.loaders && ${loaders ?? null}::text[])
      and (${gameVersion ?? null}::text is null or ${gameVersion ?? null}::text = any(release.game_versions))
    limit 1`.execute(db)
  return rows.length > 0
}

/** Whether a file may be handed out: it belongs to a release that was published, and is no malice. */
export async function isHandedOut(db: Handle, sha256: string): Promise<{ size: number } | undefined> {
  const { rows } = await sql<{ size: string }>`
    select artifact.size from release_artifacts artifact join releases on releases.id = artifact.release_id
    where artifact.sha256 = ${sha256} and artifact.deleted_at is null and artifact.arrived_at is not null
      and releases.state in ('published', 'withdrawn')
      and not exists (select from quarantined_artifacts bad where bad.sha256 = artifact.sha256)
    limit 1`.execute(db)
  return rows[0] && { size: Number(rows[0].size) }
}

export async function hasQuarantined(db: Handle, hashes: readonly string[]): Promise<boolean> {
  if (hashes.length === 0) return false
  const row = await db
    .selectFrom('quarantined_artifacts')
    .select('sha256')
    .where('sha256', 'in', hashes)
    .executeTakeFirst()
  return row !== undefined
}

/** Servers whose plan has a file that is in quarantine, and that nobody takes it away from yet. */
export async function selectSpoiltServers(db: Handle): Promise<{ server_id: string; hashes: string[] }[]> {
  const { rows } = await sql<{ server_id: string; hashes: string[] }>`
    select package.server_id, array_agg(distinct 'sha256:' || bad.sha256) as hashes
    from quarantined_artifacts bad
    join server_packages package on package.hashes @> array['sha256:' || bad.sha256]
    join servers server on server.id = package.server_id
    where server.deleted_at is null and server.files_deleted_at is null and package.kind not in ('engine', 'runtime')
      and not exists (select from operations open where open.server_id = server.id and open.ended_at is null
        and open.kind = 'package_quarantine')
    group by package.server_id`.execute(db)
  return rows
}
