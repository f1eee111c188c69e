/** The record of what is installed: replacing this one file is the moment in which a plan takes the place of another. */
import { createHash } from 'node:crypto'
import { join, posix } from 'node:path'
import type { InstallPlan, Manifest } from '@wakestone/packager/manifest'
import { readJsonFile, type VolumePaths, writeFileAtomically } from '../volume.ts'

export type InstalledRecord = {
  plan: InstallPlan
  /** False until plan files and shared files lie in place; a start finishes that first. */
  configured: boolean
  /** Files outside the packages' own folders: path in the volume → name of the package. */
  sharedFiles: Record<string, string>
  /** Shared files of the plan before, to take away while configuring. */
  staleFiles: string[]
  /** Of packages with shared files, the folder of the volume that theirs stands for. Old records have none. */
  folders?: Record<string, string>
  /** Keys of `server.properties` that the plan before has set and this one does not, with what it has set. */
  staleSettings?: Record<string, string>
  /** What the supervisor has written of shared files: path → sha256. Another content is the owner's. Old records have none. */
  written?: Record<string, string>
}

export function readInstalled(paths: VolumePaths): InstalledRecord | undefined {
  const record = readJsonFile(paths.installed) as Partial<InstalledRecord> | undefined
  const whole =
    typeof record?.plan?.hash === 'string' &&
    Array.isArray(record.plan.packages) &&
    Array.isArray(record.plan.files) &&
    Array.isArray(record.plan.launch?.command) &&
    typeof record.sharedFiles === 'object' &&
    Array.isArray(record.staleFiles)
  return whole ? (record as InstalledRecord) : undefined
}

export function writeInstalled(paths: VolumePaths, record: InstalledRecord): void {
  writeFileAtomically(paths.installed, JSON.stringify(record))
}

/**
 * Folder of a package's own files. Its name follows from the manifest, so two versions never share one. With which
 * signature its files were fetched is no part of that.
 */
export function packageFolder(paths: VolumePaths, manifest: Manifest): string {
  const files = manifest.downloadFiles.map((file) => ({
    ...file,
    url: file.url.replace(/\?until=\d+&server=.*$/s, ''),
  }))
  const hash = createHash('sha256').update(manifest.ManifestHash).update(JSON.stringify(files))
  return join(paths.packages, `${manifest.name.replace(/[^\w.-]/g, '_')}-${hash.digest('hex').slice(0, 12)}`)
}

/**
 * The folder that a manifest's stands for now, from the volume on; '' is the volume itself.
 * @param level the folder of the world that is played
 */
export function resolveFolder({ subdir }: Pick<Manifest, 'subdir'>, level: string): string {
  const folder = posix.normalize(subdir.replace(/^\{world\}(?=\/|$)/, level).replace(/^\{server\}\/?/, ''))
  return folder === '.' ? '' : folder
}

/** Packages whose files belong into a folder that they share with the owner's, as plugins do. */
export function isShared(manifest: Manifest): boolean {
  return posix.normalize(manifest.subdir) !== '.'
}
