/** Files and folders as they are dropped or chosen, with their paths within what was dropped. */

export type FoundFile = { path: string; file: File }
/** What was found, folders that are empty too, and what can find it again after a reload, where the browser knows how. */
export type Found = { files: FoundFile[]; emptyFolders: string[]; handles: FileSystemHandle[] }

type WithHandles = DataTransferItem & { getAsFileSystemHandle?: () => Promise<FileSystemHandle | null> }

/** Whether something is dragged in from outside of the browser. */
export const hasFiles = (transfer: DataTransfer | null): boolean => transfer?.types.includes('Files') ?? false

/**
 * Reads what was dropped. The list of a drop is empty once its event is over, so this takes all of it before it waits.
 * `onFound` tells how many files there are so far.
 */
export async function readDropped(transfer: DataTransfer, onFound: (count: number) => void = () => {}): Promise<Found> {
  const items = [...transfer.items].filter(({ kind }) => kind === 'file')
  const entries = items.map((item) => item.webkitGetAsEntry())
  const loose = items.map((item, index) => (entries[index] == null ? item.getAsFile() : null))
  const handles = items.map((item) => (item as WithHandles).getAsFileSystemHandle?.().catch(() => null))
  const found: Found = { files: [], emptyFolders: [], handles: [] }
  for (const file of loose) if (file !== null) found.files.push({ path: file.name, file })
  for (const entry of entries) {
    if (entry == null) continue
    await walk(entry, '', found, onFound)
  }
  const known = await Promise.all(handles)
  found.handles.push(...known.filter((handle): handle is FileSystemHandle => handle != null))
  return found
}

/** What an `<input type=file>` was given; of a folder with the paths in it. */
export function readChosen(files: FileList): Found {
  const found = [...files].map((file) => ({
    path: file.webkitRelativePath === '' ? file.name : file.webkitRelativePath,
    file,
  }))
  return { files: found, emptyFolders: [], handles: [] }
}

async function walk(entry: FileSystemEntry, parent: string, found: Found, onFound: (count: number) => void) {
  const path = parent === '' ? entry.name : `${parent}/${entry.name}`
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject))
    found.files.push({ path, file })
    if (found.files.length % 100 === 0) onFound(found.files.length)
    return
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  let count = 0
  for (;;) {
    // A hundred at a time, until there are no more.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (some.length === 0) break
    count += some.length
    for (const one of some) await walk(one, path, found, onFound)
  }
  if (count === 0) found.emptyFolders.push(path)
}

/** The same files again, from what the browser remembers of them; asks the visitor, so only after a click of theirs. */
export async function readAgain(handles: readonly FileSystemHandle[], wanted: readonly string[]): Promise<FoundFile[]> {
  const byName = new Map(handles.map((handle) => [handle.name, handle]))
  for (const handle of handles) if (!(await mayRead(handle))) return []
  const found: FoundFile[] = []
  for (const path of wanted) {
    const file = await findFile(byName, path.split('/')).catch(() => null)
    if (file !== null) found.push({ path, file })
  }
  return found
}

type Asking = { requestPermission?: (options: { mode: 'read' }) => Promise<PermissionState> }
async function mayRead(handle: FileSystemHandle): Promise<boolean> {
  const { requestPermission } = handle as Asking
  if (requestPermission === undefined) return false
  return (await requestPermission.call(handle, { mode: 'read' }).catch(() => 'denied')) === 'granted'
}

async function findFile(roots: ReadonlyMap<string, FileSystemHandle>, [root = '', ...rest]: string[]) {
  let handle = roots.get(root)
  for (const [index, name] of rest.entries()) {
    if (handle?.kind !== 'directory') return null
    const folder = handle as FileSystemDirectoryHandle
    handle = await (index === rest.length - 1 ? folder.getFileHandle(name) : folder.getDirectoryHandle(name))
  }
  return handle?.kind === 'file' ? (handle as FileSystemFileHandle).getFile() : null
}
