/** Where a package's files go on a volume, by what it is. */
import type { Manifest } from './manifest.ts'

/** Folder of the world that is played. */
export const WORLD = '{world}'
/** All of the server's files. */
export const SERVER = '{server}'

export type PlacedKind =
  | 'plugin'
  | 'mod'
  | 'datapack'
  | 'resourcepack'
  | 'config'
  | 'map'
  | 'serverpack'
  | 'app'
  | 'engine'
  | 'contest'

/** Kinds of which people count how many a server has. */
export const isPluginKind = (kind: string | undefined): boolean => kind === 'plugin' || kind === 'mod'

export type Placement = Pick<Manifest, 'subdir' | 'place'>

/**
 * @param name of the package, for what gets a folder of its own
 * @returns undefined for what cannot be installed on a server that is there
 */
export function placePackage(
  kind: PlacedKind,
  { name, loaders }: { name: string; loaders: readonly string[] },
): Placement | undefined {
  switch (kind) {
    case 'plugin':
      // What flying-squid loads is a folder with a program; others load the file itself.
      return { subdir: loaders.every((loader) => loader === 'flying-squid') ? `plugins/${name}` : 'plugins' }
    case 'mod':
      return { subdir: 'mods' }
    case 'datapack':
      return { subdir: `${WORLD}/datapacks` }
    case 'config':
    case 'serverpack':
      return { subdir: SERVER, place: 'keep' }
    case 'map':
      return { subdir: name, place: 'once' }
    case 'resourcepack':
    case 'app':
      return { subdir: '.' }
    case 'engine':
    case 'contest':
      return undefined
  }
}

/** How a file comes into its folder. Data packs and resource packs are read as the archives that they are. */
export function unpackOf(kind: PlacedKind, file: string): Manifest['downloadFiles'][number]['unpack'] {
  if (kind === 'resourcepack') return 'none'
  if (/\.zip$/i.test(file)) return kind === 'datapack' ? 'none' : 'zip'
  return /\.(tgz|tar\.gz)$/i.test(file) ? 'tar.gz' : 'none'
}

/** What it is, as its maker or its source says it. */
export const kindOf = ({ labels }: Pick<Manifest, 'labels'>): string | undefined => labels.kind

/** Files of a manifest that lie in the volume as they are, from the volume on. */
export const plainPathsOf = ({ subdir, downloadFiles }: Manifest): string[] =>
  subdir === '.'
    ? []
    : downloadFiles.flatMap(({ name, unpack }) =>
        unpack === 'none' ? [subdir === SERVER ? name : `${subdir}/${name}`] : [],
      )

/** Paths that several of these manifests bring, as far as that is known before their archives are opened. */
export function findPathConflicts(packages: readonly Manifest[]): { path: string; packages: string[] }[] {
  const owners = new Map<string, string[]>()
  for (const manifest of packages)
    for (const path of plainPathsOf(manifest)) {
      // Some systems tell no upper case from lower case, and worlds are moved between them.
      const key = path.toLowerCase()
      owners.set(key, [...(owners.get(key) ?? []), manifest.name])
    }
  return [...owners].flatMap(([path, names]) => (names.length > 1 ? [{ path, packages: names }] : []))
}
