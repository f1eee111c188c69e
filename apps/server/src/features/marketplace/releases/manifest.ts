/** The manifest of a release as it is handed out: what the author said, and what the files are. */
import { createHash } from 'node:crypto'
import type { z } from 'zod'
import { manifestSchema, type PublishedManifest } from '@wakestone/contract/marketplace/manifest'
import type { ArtifactRow, ReleaseRow } from './repo.ts'

/** JSON with sorted keys: the same content gives the same text. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = Object.entries(value).filter(([, one]) => one !== undefined)
  return `{${entries
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, one]) => `${JSON.stringify(name)}:${canonicalJson(one)}`)
    .join(',')}}`
}
const digest = (text: string) => createHash('sha256').update(text).digest('hex')

export const artifactUrl = (slug: string, releaseId: string, artifactId: string) =>
  `/api/v1/marketplace/projects/${slug}/releases/${releaseId}/artifacts/${artifactId}`

/** By the project's id, which stays as it is where its address changes. */
export function buildManifest(
  { id: releaseId, project_id, version, loaders, game_versions, asked_manifest }: ReleaseRow,
  { slug, artifacts }: { slug: string; artifacts: readonly Pick<ArtifactRow, 'id' | 'name' | 'sha256'>[] },
): PublishedManifest {
  const asked = (asked_manifest ?? {}) as Partial<z.input<typeof manifestSchema>>
  const said = manifestSchema.parse({
    name: slug,
    ...asked,
    packageVersion: version,
    labels: [...new Set([...(asked.labels ?? []), ...loaders, ...game_versions.map(asLabel)])].slice(0, 32),
  })
  const sorted = artifacts.toSorted((one, other) => (one.name < other.name ? -1 : 1))
  const downloadFiles = sorted.map(({ id, name, sha256 }) => ({
    name,
    url: artifactUrl(project_id, releaseId, id),
    hash: sha256,
  }))
  const filesHash = digest(sorted.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join(''))
  const manifest = { ...said, filesHash, downloadFiles }
  return { ...manifest, ManifestHash: digest(canonicalJson(manifest)) }
}

const asLabel = (version: string) => `mc-${version.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`
