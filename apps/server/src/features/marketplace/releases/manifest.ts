/** The manifest of a release as it is handed out: what the author said, and what the files are. */
import { createHash } from 'node:crypto'
import type { z } from 'zod'
import { manifestSchema, type PublishedManifest } from '@wakestone/contract/marketplace/manifest'
import { canonicalJson } from '@wakestone/packager/canonical'
import type { ArtifactRow, ReleaseRow } from './repo.ts'

const digest = (text: string) => createHash('sha256').update(text).digest('hex')

export const artifactUrl = (slug: string, releaseId: string, artifactId: string) =>
  `/api/v1/marketplace/projects/${slug}/releases/${releaseId}/artifacts/${artifactId}`

/** By the project's id, which stays as it is where its address changes. */
export function buildManifest(
  { id: releaseId, project_id, version, loaders, game_versions, asked_manifest }: ReleaseRow,
  { slug, artifacts }: { slug: string; artifacts: readonly Pick<ArtifactRow, 'id' | 'name' | 'sha256'>[] },
): PublishedManifest {
  const { $schema: _, ...asked } = (asked_manifest ?? {}) as Partial<z.input<typeof manifestSchema>>
  const said = manifestSchema.omit({ $schema: true }).parse({
    ...asked,
    // Nobody calls a package by the name of another one.
    name: slug,
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
  // Where files can be fetched is no part of it: their own hashes say what they are.
  const named = { ...manifest, downloadFiles: downloadFiles.map(({ name, hash }) => ({ name, hash })) }
  return { ...manifest, ManifestHash: digest(canonicalJson(named)) }
}

/** Names that it says that it provides, or has within it. */
export function providedNames({ asked_manifest }: Pick<ReleaseRow, 'asked_manifest'>): string[] {
  const asked = (asked_manifest ?? {}) as Partial<z.input<typeof manifestSchema>>
  const embedded = (asked.dependencies ?? []).flatMap(({ kind, selector }) =>
    kind !== 'embedded' ? [] : typeof selector === 'string' ? [selector] : (selector.name ?? selector.provides ?? []),
  )
  return [...(asked.provides ?? []).map(({ name }) => name), ...embedded]
}

const asLabel = (version: string) => `mc-${version.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`
