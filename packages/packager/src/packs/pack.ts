/** Packs of mods, as Modrinth and CurseForge have them: what their lists say, before anything is fetched. */

/** A list that nobody can read, or that asks for what is not done. `reason` is for people who know packs. */
export class PackError extends Error {}

export type PackLoader = { engine: 'fabric' | 'quilt' | 'forge' | 'neoforge'; version: string }

export type PackFile = {
  /** From the server's files on. */
  path: string
  /** The places where it may be had, the first that is allowed. */
  url: string
  hash: string
  size: number
}

export type Pack = {
  format: 'modrinth' | 'curseforge'
  title: string
  version: string
  minecraft: string
  /** Null: a pack for the game as it is. */
  loader: PackLoader | null
  /** Folders of the archive whose content is laid into the server's files, later ones over earlier ones. */
  overrides: string[]
}

/** Of all files of a pack. */
export const packLimits = {
  /** The list in the archive. */
  indexBytes: 8 * 1024 * 1024,
  files: 3000,
  fileBytes: 1024 ** 3,
  bytes: 16 * 1024 ** 3,
  /** The archive itself. */
  archiveBytes: 512 * 1024 ** 2,
} as const

/** What the supervisor keeps at the top of a volume is not for packs. */
const ownFolders = /^\.(?:wakestone|trash|revisions|transfers|quarantine)/i

/** One part of a path, with nothing in it that a system reads otherwise. */
const isPlainPart = (part: string): boolean =>
  part !== '' &&
  part !== '.' &&
  part !== '..' &&
  part.length <= 200 &&
  !/[\\:*?"<>|\p{Cc}\u202a-\u202e\u2066-\u2069]/u.test(part) &&
  !/[. ]$/.test(part) &&
  !/^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(part)

/** @throws PackError for a path that leads elsewhere than it seems */
export function checkPackPath(path: string): string {
  const isFine = path.length <= 500 && path.split('/').every(isPlainPart) && !ownFolders.test(path)
  if (!isFine) throw new PackError(`path ${JSON.stringify(path.slice(0, 200))}`)
  return path
}

/** What only a player's own game reads. */
export const isForClientsOnly = (path: string): boolean =>
  /^(?:resourcepacks|shaderpacks|screenshots|texturepacks)\//i.test(path) || /^options(?:of|shaders)?\.txt$/i.test(path)

/** @throws PackError for two files of one path; some systems tell no upper case from lower case */
export function checkPackFiles<File extends Pick<PackFile, 'path' | 'size'>>(files: readonly File[]): readonly File[] {
  if (files.length > packLimits.files) throw new PackError(`more than ${packLimits.files} files`)
  const paths = new Set<string>()
  let bytes = 0
  for (const { path, size } of files) {
    bytes += size
    if (size > packLimits.fileBytes || bytes > packLimits.bytes) throw new PackError('too large')
    if (paths.has(path.toLowerCase())) throw new PackError(`path ${JSON.stringify(path)} is there twice`)
    paths.add(path.toLowerCase())
  }
  return files
}
