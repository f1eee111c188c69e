/** Paths of files on a server: relative to its volume, `/` between names, '' is the volume itself. */

export const joinPath = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`)

export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

export function folderOf(path: string): string {
  const slash = path.lastIndexOf('/')
  return slash < 0 ? '' : path.slice(0, slash)
}

/** Whether a path is a folder itself or lies below it. Everything lies below ''. */
export const isWithin = (path: string, folder: string): boolean =>
  folder === '' || path === folder || path.startsWith(`${folder}/`)

/** The folders above a path, the volume first, and the path itself: what breadcrumbs show. */
export function trailOf(path: string): string[] {
  const names = path === '' ? [] : path.split('/')
  return ['', ...names.map((_, index) => names.slice(0, index + 1).join('/'))]
}

/** In lower case and without the dot; '' where there is none. `.gitignore` has none. */
export function extensionOf(path: string): string {
  const name = nameOf(path)
  const dot = name.lastIndexOf('.')
  return dot <= 0 ? '' : name.slice(dot + 1).toLowerCase()
}

/** The name, or with a number behind it the first that is not taken: `world`, `world (2)`. */
export function freeName(name: string, isTaken: (name: string) => boolean): string {
  let candidate = name
  for (let number = 2; isTaken(candidate); number += 1) candidate = `${name} (${number})`
  return candidate
}

/** Whether something can be moved or copied into a folder: not into itself, and not to where it is. */
export const canMoveInto = (paths: readonly string[], folder: string): boolean =>
  paths.length > 0 && paths.every((path) => !isWithin(folder, path) && folderOf(path) !== folder)

/**
 * Where a folder is shown, below `/s/{identity}`. `files/trash` is the trash, so a folder of that name is named by the
 * query.
 */
export function folderAddress(folder: string): string {
  if (folder === 'trash' || folder.startsWith('trash/')) return `/files?path=${encodeURIComponent(folder)}`
  return folder === '' ? '/files' : `/files/${folder.split('/').map(encodeURIComponent).join('/')}`
}

/** The folder that an address shows: the rest of its path, decoded by the router, or `?path=`. */
export function readFolder(rest: string | undefined, search: URLSearchParams): string {
  const wanted = search.get('path') ?? rest ?? ''
  return wanted
    .split('/')
    .filter((name) => name !== '' && name !== '.' && name !== '..')
    .join('/')
}
