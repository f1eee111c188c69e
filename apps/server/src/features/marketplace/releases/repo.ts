import { type Selectable, sql } from 'kysely'
import type { Finding } from '@wakestone/contract/marketplace/release'
import type { PublishedManifest } from '@wakestone/contract/marketplace/manifest'
import type { PackageLoader, ReleaseState, ReleaseType } from '@wakestone/contract/marketplace/values'
import type { Handle, Transaction } from '#src/db/client.ts'
import type { ArtifactUploads, ReleaseArtifacts, Releases } from '#src/db/types.gen.ts'

export type ReleaseRow = Omit<Selectable<Releases>, 'state' | 'release_type' | 'loaders' | 'findings' | 'manifest'> & {
  state: ReleaseState
  release_type: ReleaseType
  loaders: PackageLoader[]
  findings: Finding[]
  manifest: PublishedManifest | null
}
export type ArtifactRow = Omit<Selectable<ReleaseArtifacts>, 'type' | 'details'> & {
  type: 'jar' | 'zip' | 'tgz'
  details: { entries?: number; unpacked?: number; kind?: string | null }
}
export type UploadRow = Selectable<ArtifactUploads>

export async function insertRelease(
  trx: Transaction,
  row: Pick<
    ReleaseRow,
    | 'id'
    | 'project_id'
    | 'version'
    | 'release_type'
    | 'description'
    | 'html'
    | 'game_versions'
    | 'loaders'
    | 'published_by'
  > & { asked_manifest: object | null },
): Promise<void> {
  const { asked_manifest, ...rest } = row
  await trx
    .insertInto('releases')
    .values({ ...rest, asked_manifest: asked_manifest === null ? null : JSON.stringify(asked_manifest) })
    .execute()
}

export async function insertArtifacts(
  trx: Transaction,
  releaseId: string,
  files: readonly Pick<ArtifactRow, 'name' | 'type' | 'sha256' | 'size'>[],
): Promise<ArtifactRow[]> {
  const rows = await trx
    .insertInto('release_artifacts')
    .values(files.map((file) => ({ ...file, release_id: releaseId })))
    .returningAll()
    .execute()
  return rows as unknown as ArtifactRow[]
}

/** Each clears away a few that are over. */
export async function insertUpload(db: Handle, upload: Omit<UploadRow, 'expires_at'>, seconds: number): Promise<Date> {
  await sql`delete from artifact_uploads where digest in (
    select digest from artifact_uploads where expires_at < now() order by expires_at limit 4 for update skip locked)`.execute(
    db,
  )
  const { expires_at } = await db
    .insertInto('artifact_uploads')
    .values({ ...upload, expires_at: sql<Date>`now() + ${seconds} * interval '1 second'` })
    .returning('expires_at')
    .executeTakeFirstOrThrow()
  return expires_at
}

/** One that has not ended, of a release that still waits for its files. */
export async function findUpload(
  db: Handle,
  digest: Buffer,
): Promise<(UploadRow & ArtifactRow & { project_id: string }) | undefined> {
  const row = await db
    .selectFrom('artifact_uploads')
    .innerJoin('release_artifacts', 'release_artifacts.id', 'artifact_uploads.artifact_id')
    .innerJoin('releases', 'releases.id', 'release_artifacts.release_id')
    .selectAll('artifact_uploads')
    .selectAll('release_artifacts')
    .select('releases.project_id')
    .where('digest', '=', digest)
    .where('expires_at', '>', sql<Date>`now()`)
    .where('releases.state', '=', 'draft')
    .executeTakeFirst()
  return row as unknown as (UploadRow & ArtifactRow & { project_id: string }) | undefined
}

export async function findRelease(db: Handle, id: string, projectId?: string): Promise<ReleaseRow | undefined> {
  let query = db.selectFrom('releases').selectAll().where('id', '=', id)
  if (projectId !== undefined) query = query.where('project_id', '=', projectId)
  return (await query.executeTakeFirst()) as unknown as ReleaseRow | undefined
}

/** Whether there is a release of this version; one that was refused may be sent anew. */
export async function hasVersion(db: Handle, projectId: string, version: string): Promise<boolean> {
  const row = await db
    .selectFrom('releases')
    .select('id')
    .where('project_id', '=', projectId)
    .where('version', '=', version)
    .where('state', '<>', 'refused')
    .executeTakeFirst()
  return row !== undefined
}

export async function findLastId(db: Handle, projectId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('releases')
    .select('id')
    .where('project_id', '=', projectId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.id
}

export async function lockRelease(trx: Transaction, id: string): Promise<ReleaseRow | undefined> {
  const row = await trx.selectFrom('releases').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  return row as unknown as ReleaseRow | undefined
}

type ReleaseFacts = Partial<
  Pick<
    ReleaseRow,
    | 'state'
    | 'release_type'
    | 'description'
    | 'html'
    | 'archived_at'
    | 'deleted_at'
    | 'reason'
    | 'waiting_since'
    | 'waited_seconds'
    | 'published_at'
  > & { findings: Finding[]; manifest: PublishedManifest }
>
export async function updateRelease(trx: Transaction, id: string, facts: ReleaseFacts): Promise<void> {
  const { findings, manifest, ...rest } = facts
  await trx
    .updateTable('releases')
    .set({
      ...rest,
      ...(findings !== undefined && { findings: JSON.stringify(findings) }),
      ...(manifest !== undefined && { manifest: JSON.stringify(manifest) }),
    })
    .where('id', '=', id)
    .execute()
}

export async function deleteRelease(trx: Transaction, id: string): Promise<void> {
  await trx.deleteFrom('releases').where('id', '=', id).execute()
}

export async function selectReleases(
  db: Handle,
  {
    projectId,
    ofMembers,
    after,
    limit,
    order,
  }: { projectId: string; ofMembers: boolean; after: string | undefined; limit: number; order: 'asc' | 'desc' },
): Promise<ReleaseRow[]> {
  let query = db.selectFrom('releases').selectAll().where('project_id', '=', projectId)
  if (!ofMembers)
    query = query
      .where('state', '=', 'published')
      .where('release_type', '<>', 'private')
      .where('archived_at', 'is', null)
  if (after !== undefined) query = query.where('id', order === 'desc' ? '<' : '>', after)
  const rows = await query.orderBy('id', order).limit(limit).execute()
  return rows as unknown as ReleaseRow[]
}

export async function selectArtifacts(db: Handle, releaseIds: readonly string[]): Promise<ArtifactRow[]> {
  if (releaseIds.length === 0) return []
  const rows = await db
    .selectFrom('release_artifacts')
    .selectAll()
    .where('release_id', 'in', releaseIds)
    .orderBy('name')
    .execute()
  return rows as unknown as ArtifactRow[]
}

export async function markArrived(trx: Transaction, artifactId: string): Promise<void> {
  await trx.updateTable('release_artifacts').set({ arrived_at: new Date() }).where('id', '=', artifactId).execute()
  await trx.deleteFrom('artifact_uploads').where('artifact_id', '=', artifactId).execute()
}

export async function writeDetails(
  trx: Transaction,
  artifactId: string,
  details: ArtifactRow['details'],
): Promise<void> {
  await trx
    .updateTable('release_artifacts')
    .set({ details: JSON.stringify(details) })
    .where('id', '=', artifactId)
    .execute()
}

export async function selectUsernames(db: Handle, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('users')
    .select(['id', 'username'])
    .where('id', 'in', ids)
    .where('destroyed_at', 'is', null)
    .execute()
  return new Map(rows.map(({ id, username }) => [id, username]))
}

/** Place in the queue of moderators, from 1 on, and its length. */
export async function findQueuePlaces(db: Handle): Promise<Map<string, { position: number; length: number }>> {
  const rows = await db
    .selectFrom('releases')
    .select('id')
    .where('state', '=', 'waiting')
    .orderBy('waiting_since')
    .limit(10_000)
    .execute()
  return new Map(rows.map(({ id }, index) => [id, { position: index + 1, length: rows.length }]))
}

const lately = 20
const enough = 3

/** The median of how long the last ones waited for a moderator; null where too few have to tell anything. */
export async function findUsualWait(db: Handle): Promise<number | null> {
  const { rows } = await sql<{ seconds: number | null }>`
    select case when count(*) >= ${enough} then
      percentile_disc(0.5) within group (order by waited_seconds) end::integer as seconds
    from (select waited_seconds from releases where waited_seconds is not null order by id desc limit ${lately}) last`.execute(
    db,
  )
  return rows[0]?.seconds ?? null
}

/** Of the release that was published last, if there is one. */
export async function findLastFindings(db: Handle, projectId: string): Promise<Finding[] | undefined> {
  const row = await db
    .selectFrom('releases')
    .select('findings')
    .where('project_id', '=', projectId)
    .where('state', 'in', ['published'])
    .orderBy('published_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.findings as Finding[] | undefined
}

export async function selectQuarantined(db: Handle, hashes: readonly string[]): Promise<Set<string>> {
  if (hashes.length === 0) return new Set()
  const rows = await db.selectFrom('quarantined_artifacts').select('sha256').where('sha256', 'in', hashes).execute()
  return new Set(rows.map(({ sha256 }) => sha256))
}

/** The same, in one order with whoever puts one of these into quarantine. */
export async function lockQuarantined(trx: Transaction, hashes: readonly string[]): Promise<Set<string>> {
  for (const hash of hashes.toSorted())
    await sql`select pg_advisory_xact_lock(hashtextextended(${`quarantine ${hash}`}, 0))`.execute(trx)
  return selectQuarantined(trx, hashes)
}

/** Drafts whose files never came. */
export async function selectStaleDrafts(db: Handle, before: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('releases')
    .select('id')
    .where('state', '=', 'draft')
    .where('created_at', '<', before)
    .limit(200)
    .execute()
  return rows.map(({ id }) => id)
}
