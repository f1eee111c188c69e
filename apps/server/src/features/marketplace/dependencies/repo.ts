import { sql } from 'kysely'
import type { PublishedManifest } from '@wakestone/contract/marketplace/manifest'
import type { Handle } from '#src/db/client.ts'

/** Of the newest stable release; else of the newest of the channel `latest`. */
export async function findNewestManifest(db: Handle, projectId: string): Promise<PublishedManifest | undefined> {
  const { rows } = await sql<{ manifest: PublishedManifest }>`
    select manifest from releases
    where project_id = ${projectId} and state = 'published' and release_type <> 'private' and archived_at is null
    order by release_type = 'stable' desc, id desc limit 1`.execute(db)
  return rows[0]?.manifest
}

/** Those that everybody sees. */
export async function selectShownBySlug(db: Handle, slugs: readonly string[]): Promise<{ id: string; slug: string }[]> {
  if (slugs.length === 0) return []
  return db
    .selectFrom('projects')
    .select(['id', 'slug'])
    .where('slug', 'in', slugs)
    .where('visibility', '=', 'public')
    .where('taken_down_at', 'is', null)
    .execute()
}

/** Projects that everybody sees and whose releases name it as needed, the most used ones first. */
export async function selectDependants(
  db: Handle,
  { name, projectId, limit }: { name: string; projectId: string; limit: number },
): Promise<{ ids: string[]; count: number }> {
  const { rows } = await sql<{ id: string; count: number }>`
    select project.id, count(*) over ()::integer as count from projects project
    where project.id in (
        select project_id from releases
        where needed_names(manifest) @> array[${name}] and state = 'published' and release_type <> 'private' and archived_at is null
      ) and project.id <> ${projectId} and project.visibility = 'public' and project.taken_down_at is null
    order by project.downloads desc, project.id desc limit ${limit}`.execute(db)
  return { ids: rows.map(({ id }) => id), count: rows[0]?.count ?? 0 }
}
