/**
 * Brings an install plan onto the volume.
 *
 * Each package is unpacked into a folder of its own, named by its content. The plan takes effect in one step, when
 * the record is replaced; a kill before leaves the old plan whole, a kill after leaves the new one. Folders of the
 * owner (worlds, settings) are not touched, except for the files that the plan names.
 */
import { createHash } from 'node:crypto'
import {
  closeSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { InstallPlan, Manifest } from '@wakestone/packager/manifest'
import type { InstallProgress } from '@wakestone/protocol/supervisor'
import { type GameUser, giveToGame } from '../game-user.ts'
import type { VolumePaths } from '../volume.ts'
import { dropSettings, isInnerPath, prepareGameFile, readLevelName, writePlanFiles } from './configure.ts'
import { downloadFile } from './download.ts'
import {
  type InstalledRecord,
  isShared,
  packageFolder,
  readInstalled,
  resolveFolder,
  writeInstalled,
} from './record.ts'
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
        await unpack({ archive: whole, folder: staged, strip: file.strip, only: file.only, maxBytes })
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
    const level = readLevelName(paths)
    const folders = Object.fromEntries(
      plan.packages.filter(isShared).map((manifest) => [manifest.name, resolveFolder(manifest, level)]),
    )
    const sharedFiles = listSharedFiles(paths, plan.packages, folders)
    const stale = new Set([...Object.keys(before?.sharedFiles ?? {}), ...(before?.staleFiles ?? [])])
    const staleFiles = [...stale].filter((path) => !(path in sharedFiles))
    // What a plan has laid out that could not be finished may fill the disk, and leave no room for a record.
    if (before?.configured === false) removeStale(paths, staleFiles, before.written)
    writeInstalled(paths, {
      plan,
      configured: false,
      sharedFiles,
      staleFiles,
      folders,
      staleSettings: staleSettingsOf(before, plan),
      ...(before?.written && { written: before.written }),
    })
    report('configure', last)
    finishInstall(paths, gameUser)
  } catch (error) {
    throw error instanceof InstallError ? error : new InstallError(last, error as Error)
  }
  removeOldPackages(paths, plan.packages)
}

/** Does what a kill between record and configuration may have left undone; nothing when all is in place. */
export function finishInstall(paths: VolumePaths, gameUser: GameUser | null): InstalledRecord | undefined {
  const record = readInstalled(paths)
  if (!record || record.configured) return record
  const { written } = record
  removeStale(paths, record.staleFiles, written)
  const nowWritten: Record<string, string> = {}
  const byName = new Map(record.plan.packages.map((manifest) => [manifest.name, manifest]))
  for (const [path, name] of Object.entries(record.sharedFiles)) {
    const manifest = byName.get(name) as Manifest
    const target = join(paths.volume, path)
    prepareGameFile(paths, target, gameUser)
    const folder = record.folders?.[name] ?? manifest.subdir
    const source = join(packageFolder(paths, manifest), path.slice(folder === '' ? 0 : join(folder, '/').length))
    const hash = hashFile(source)
    nowWritten[path] = hash
    const present = lstatSync(target, { throwIfNoEntry: false })?.isFile() === true ? hashFile(target) : undefined
    if (present === hash) continue
    // Records of before this was written down know nothing of what is there.
    const isStrange = present !== undefined && written !== undefined && written[path] === undefined
    // What the owner has changed stays, and the package's own lies beside it.
    const isKept =
      isOwners(target, written?.[path]) || (isStrange && (manifest.place === 'keep' || !isProgram.test(path)))
    // A program that nobody of us has laid there makes room, and is not lost.
    if (isStrange && !isKept) renameSync(target, `${target}.old`)
    layFile(source, isKept ? `${target}.dist` : target, gameUser)
  }
  for (const manifest of record.plan.packages) if (manifest.place === 'once') layOnce(paths, record, manifest, gameUser)
  dropSettings(paths, record.staleSettings ?? {}, gameUser)
  writePlanFiles({ paths, files: record.plan.files, gameUser })
  const done = { ...record, configured: true, staleFiles: [], staleSettings: {}, written: nowWritten }
  writeInstalled(paths, done)
  return done
}

/** What its owner has changed stays. */
function removeStale(paths: VolumePaths, files: readonly string[], written: InstalledRecord['written']): void {
  for (const path of files) {
    const target = join(paths.volume, path)
    if (!isOwners(target, written?.[path])) rmSync(target, { force: true })
  }
}

const isProgram = /\.(jar|zip|js|mjs|class)$/i

/** Whole or not at all: half of one would be taken for the owner's. */
function layFile(source: string, place: string, gameUser: GameUser | null): void {
  const draft = `${place}.wakestone-new`
  rmSync(draft, { recursive: true, force: true })
  try {
    cpSync(source, draft)
  } catch (error) {
    rmSync(draft, { force: true }) // the disk may be full, which it would keep so
    throw error
  }
  giveToGame(draft, gameUser)
  if (lstatSync(place, { throwIfNoEntry: false })?.isDirectory() === true) rmSync(place, { recursive: true })
  renameSync(draft, place)
}

/** A folder that is the owner's once it is there, such as a world. */
function layOnce(paths: VolumePaths, record: InstalledRecord, manifest: Manifest, gameUser: GameUser | null): void {
  const folder = record.folders?.[manifest.name] ?? manifest.subdir
  const target = join(paths.volume, folder)
  if (folder === '' || lstatSync(target, { throwIfNoEntry: false }) !== undefined) return
  prepareGameFile(paths, target, gameUser)
  const draft = `${target}.wakestone-new`
  rmSync(draft, { recursive: true, force: true })
  cpSync(contentOf(packageFolder(paths, manifest)), draft, { recursive: true })
  if (gameUser !== null) {
    giveToGame(draft, gameUser)
    for (const entry of readdirSync(draft, { recursive: true, withFileTypes: true }))
      giveToGame(join(entry.parentPath, entry.name), gameUser)
  }
  renameSync(draft, target)
}

/** A world may lie in an archive by itself or in a folder. */
function contentOf(folder: string): string {
  if (existsSync(join(folder, 'level.dat'))) return folder
  const inner = readdirSync(folder, { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && existsSync(join(folder, entry.name, 'level.dat')),
  )
  return inner.length === 1 ? join(folder, inner[0]!.name) : folder
}

function staleSettingsOf(before: InstalledRecord | undefined, { launch }: InstallPlan): Record<string, string> {
  const stale = { ...before?.staleSettings, ...before?.plan.launch.settings }
  return Object.fromEntries(Object.entries(stale).filter(([key]) => !(key in (launch.settings ?? {}))))
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

/** @throws InstallError where two packages bring the same file. */
function listSharedFiles(
  paths: VolumePaths,
  packages: readonly Manifest[],
  folders: Record<string, string>,
): Record<string, string> {
  const files: Record<string, string> = {}
  const owners = new Map<string, string>()
  for (const manifest of packages) {
    if (!isShared(manifest) || manifest.place === 'once') continue
    const folder = packageFolder(paths, manifest)
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue
      const inner = join(entry.parentPath, entry.name).slice(folder.length + 1)
      const path = join(folders[manifest.name] ?? manifest.subdir, inner)
      if (isOurs(path, paths)) throw new InstallError(manifest.name, new Error(`${path} is not for packages`))
      const other = owners.get(path.toLowerCase())
      if (other !== undefined)
        throw new InstallError(manifest.name, new Error(`same path: ${path} of ${other} and ${manifest.name}`))
      owners.set(path.toLowerCase(), manifest.name)
      files[path] = manifest.name
    }
  }
  return files
}

const isOurs = (path: string, { ownName }: VolumePaths) =>
  [ownName, '.trash', '.revisions', '.transfers'].includes(path.split('/')[0]!)

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
