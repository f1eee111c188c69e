/** Names for manifests and plans by what they hold. */
import { createHash } from 'node:crypto'
import { canonicalJson } from './canonical.ts'
import type { InstallPlan, Manifest } from './manifest.ts'

/**
 * Hash of a manifest. Where its files can be fetched is no part of it: their own hashes say what they are,
 * and a mirror that moves must not make every server install again.
 */
export function hashManifest(manifest: Omit<Manifest, 'ManifestHash'>): string {
  const { ManifestHash: _, ...rest } = manifest as Manifest
  const downloadFiles = rest.downloadFiles.map(({ url: _url, ...file }) => file)
  return sha256(canonicalJson({ ...rest, downloadFiles }))
}

/** A manifest under its name. */
export function sealManifest(manifest: Omit<Manifest, 'ManifestHash'>): Manifest {
  return { ...manifest, ManifestHash: hashManifest(manifest) }
}

/** Hash of a plan: of its packages by their hashes, its files and its launch. */
export function hashPlan(plan: Omit<InstallPlan, 'hash'>): string {
  const packages = plan.packages.map((manifest) => hashManifest(manifest))
  return sha256(canonicalJson({ packages, files: plan.files, launch: plan.launch }))
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
