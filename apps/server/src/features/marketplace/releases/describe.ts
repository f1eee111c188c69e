/** How releases are shown. */
import type { Release } from '@wakestone/contract/marketplace/release'
import type { Handle } from '#src/db/client.ts'
import { artifactUrl } from './manifest.ts'
import * as repo from './repo.ts'

/** @param isMember members read all that was found, others what it means */
export async function describeReleases(
  db: Handle,
  rows: readonly repo.ReleaseRow[],
  { slug, isMember }: { slug: string; isMember: boolean },
): Promise<Release[]> {
  const people = rows.flatMap(({ published_by }) => published_by ?? [])
  const isQueueShown = isMember && rows.some(({ state }) => state === 'waiting')
  const [artifacts, names, places, usualWait] = await Promise.all([
    repo.selectArtifacts(
      db,
      rows.map(({ id }) => id),
    ),
    repo.selectUsernames(db, [...new Set(people)]),
    isQueueShown ? repo.findQueuePlaces(db) : undefined,
    isQueueShown ? repo.findUsualWait(db) : null,
  ])
  return rows.map((row) => {
    const place = places?.get(row.id)
    const publisher = row.published_by === null ? undefined : names.get(row.published_by)
    return {
      id: row.id,
      project_id: row.project_id,
      version: row.version,
      release_type: row.release_type,
      state: row.state,
      description: row.description,
      html: row.html,
      game_versions: row.game_versions,
      loaders: row.loaders,
      artifacts: artifacts
        .filter(({ release_id }) => release_id === row.id)
        .map(({ id, type, name, sha256, size, deleted_at, details }) => ({
          id,
          type,
          name,
          url: artifactUrl(slug, row.id, id),
          hash: sha256,
          size,
          deleted_at: deleted_at?.toISOString() ?? null,
          details: { entries: details.entries ?? null, unpacked: details.unpacked ?? null, kind: details.kind ?? null },
        })),
      manifest: row.manifest,
      created_at: row.created_at.toISOString(),
      published_at: row.published_at?.toISOString() ?? null,
      published_by:
        row.published_by === null || publisher === undefined ? null : { id: row.published_by, username: publisher },
      archived_at: row.archived_at?.toISOString() ?? null,
      deleted_at: row.deleted_at?.toISOString() ?? null,
      downloads: row.downloads,
      findings: isMember ? row.findings : row.findings.map((finding) => ({ ...finding, details: [] })),
      queue: place === undefined ? null : { ...place, usual_seconds: usualWait },
      reason: row.reason,
    }
  })
}
