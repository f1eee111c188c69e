/**
 * Brings an install plan onto the volume.
 *
 * Each package is unpacked into a folder of its own, named by its content. The plan takes effect in one step, when
 * the record is replaced; a kill before leaves the old plan whole, a kill after leaves the new one. Folders of the
 * owner (worlds, settings) are not touched, except for the files that the plan names.
 */
import { createHash } from 'node:crypto'
import { closeSync, cpSync, lstatSync, mkdirSync, openSync, readdirSync, readSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { InstallPlan, Manifest } from '@wakestone/packager/manifest'
import type { InstallProgress } from '@wakestone/protocol/supervisor'
import { type GameUser, giveToGame } from '../game-user.ts'
import type { VolumePaths } from '../volume.ts'
import { isInnerPath, prepareGameFile, writePlanFiles } from './configure.ts'
import { downloadFile } from './download.ts'
import { type InstalledRecord, isShared, packageFolder, readInstalled, writeInstalled } from './record.ts'
import { unpackArchive } from './unpack.ts'

/** The package that could not be installed, and why. */
export class InstallError extends Error {
  readonly packageName: string
  constructor(packageName: string, cause: Error) {
    super(cause.message, { cause })
    this.packageName = packageName
  }
}

export type InstallOptions = {
  paths: VolumePaths
  plan: InstallPlan
  /** Whose the files are to be that the game may change. */
  gameUser: GameUser | null
  /** Most bytes one archive may take unpacked. */
  maxBytes: number
  onProgress: (progress: InstallProgress) => void
  /** Folder of files that were fetched for us. */
  provided?: string | undefined
  retryDelaysMs?: readonly number[]
}

/** @throws InstallError; what was installed before is untouched then. */
export async function installPlan(options: InstallOptions): Promise<void> {
  const { paths, plan, gameUser, maxBytes, onProgress, provided, retryDelaysMs } = options
  const report = (
    step: InstallProgress['step'],
    packageName: string,
    bytesDone = 0,
    bytesTotal: number | null = null,
  ) => onProgress({ planHash: plan.hash, step, packageName, bytesDone, bytesTotal })
  rmSync(paths.staging, { recursive: true, force: true })
  mkdirSync(paths.packages, { recursive: true })
  const present = new Set(readdirSync(paths.packages))

  for (const manifest of plan.packages) {
    const folder = packageFolder(paths, manifest)
    if (present.has(folder.slice(paths.packages.length + 1))) continue
    try {
      const staged = join(paths.staging, 'content')
      rmSync(paths.staging, { recursive: true, force: true })
      mkdirSync(staged, { recursive: true })
      for (const file of manifest.downloadFiles) {
        if (!isInnerPath(file.name)) throw new Error(`bad file name ${file.name}`)
        const whole = file.unpack === 'none' ? join(staged, file.name) : join(paths.staging, 'archive')
        mkdirSync(dirname(whole), { recursive: true })
        report('download', manifest.name, 0, file.size)
        await downloadFile({
          file,
          target: whole,
          provided,
          onProgress: (done, total) => report(done === total ? 'verify' : 'download', manifest.name, done, total),
          ...(retryDelaysMs && { retryDelaysMs }),
        })
        if (file.unpack === 'none') continue
        report('extract', manifest.name, file.size ?? 0, file.size)
        const unpack = file.unpack === 'zip' ? (await import('./unzip.ts')).unzipArchive : unpackArchive
        await unpack({ archive: whole, folder: staged, strip: file.strip, maxBytes })
        rmSync(whole)
      }
      report('swap', manifest.name)
      renameSync(staged, folder)
    } catch (error) {
      rmSync(paths.staging, { recursive: true, force: true })
      throw new InstallError(manifest.name, error as Error)
    }
  }
  rmSync(paths.staging, { recursive: true, force: true })

  const last = plan.packages.at(-1)?.name ?? ''
  report('swap', last)
  try {
    const before = readInstalled(paths)
    const sharedFiles = listSharedFiles(paths, plan.packages)
    const stale = new Set([...Object.keys(before?.sharedFiles ?? {}), ...(before?.staleFiles ?? [])])
    const staleFiles = [...stale].filter((path) => !(path in sharedFiles))
    writeInstalled(paths, {
      plan,
      configured: false,
      sharedFiles,
      staleFiles,
      ...(before?.written && { written: before.written }),
    })
    report('configure', last)
    finishInstall(paths, gameUser)
  } catch (error) {
    throw new InstallError(last, error as Error)
  }
  removeOldPackages(paths, plan.packages)
}

/** Does what a kill between record and configuration may have left undone; nothing when all is in place. */
export function finishInstall(paths: VolumePaths, gameUser: GameUser | null): InstalledRecord | undefined {
  const record = readInstalled(paths)
  if (!record || record.configured) return record
  const { written } = record
  for (const path of record.staleFiles) {
    const target = join(paths.volume, path)
    if (!isOwners(target, written?.[path])) rmSync(target, { force: true })
  }
  const nowWritten: Record<string, string> = {}
  const byName = new Map(record.plan.packages.map((manifest) => [manifest.name, manifest]))
  for (const [path, name] of Object.entries(record.sharedFiles)) {
    const manifest = byName.get(name) as Manifest
    const target = join(paths.volume, path)
    prepareGameFile(paths, target, gameUser)
    const source = join(packageFolder(paths, manifest), path.slice(join(manifest.subdir, '/').length))
    const hash = hashFile(source)
    nowWritten[path] = hash
    // What the owner has changed stays, and the package's own lies beside it.
    const isKept = isOwners(target, written?.[path]) && hashFile(target) !== hash
    const place = isKept ? `${target}.dist` : target
    rmSync(place, { force: true })
    cpSync(source, place)
    giveToGame(place, gameUser)
  }
  writePlanFiles({ paths, files: record.plan.files, gameUser })
  const done = { ...record, configured: true, staleFiles: [], written: nowWritten }
  writeInstalled(paths, done)
  return done
}

/** Whether a file that the supervisor has written is there with another content. Links and folders are no files of ours. */
function isOwners(path: string, written: string | undefined): boolean {
  if (written === undefined || lstatSync(path, { throwIfNoEntry: false })?.isFile() !== true) return false
  return hashFile(path) !== written
}

/** In pieces: a package may be larger than the memory that a supervisor may take. */
function hashFile(path: string): string {
  const hash = createHash('sha256')
  const piece = Buffer.allocUnsafe(256 * 1024)
  const file = openSync(path, 'r')
  try {
    for (let length = readSync(file, piece); length > 0; length = readSync(file, piece)) {
      hash.update(piece.subarray(0, length))
    }
  } finally {
    closeSync(file)
  }
  return hash.digest('hex')
}

function listSharedFiles(paths: VolumePaths, packages: readonly Manifest[]): Record<string, string> {
  const files: Record<string, string> = {}
  for (const manifest of packages.filter(isShared)) {
    const folder = packageFolder(paths, manifest)
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue
      const inner = join(entry.parentPath, entry.name).slice(folder.length + 1)
      files[join(manifest.subdir, inner)] = manifest.name
    }
  }
  return files
}

/** Each folder leaves its place in one step: half of one would be taken for a package that is there. */
function removeOldPackages(paths: VolumePaths, packages: readonly Manifest[]) {
  const wanted = new Set(packages.map((manifest) => packageFolder(paths, manifest)))
  for (const name of readdirSync(paths.packages)) {
    const folder = join(paths.packages, name)
    if (wanted.has(folder)) continue
    mkdirSync(paths.staging, { recursive: true })
    renameSync(folder, join(paths.staging, name))
  }
  rmSync(paths.staging, { recursive: true, force: true })
}
