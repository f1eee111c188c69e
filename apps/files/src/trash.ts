/**
 * What was deleted: `.trash/<id>/content` is the thing itself, renamed, and `info.json` beside it says where it was. It
 * waits for seven days, unless its room is needed before.
 */
import {
  entriesTold,
  goneTold,
  type OverwriteMode,
  splitPath,
  trashDays,
  trashFolder,
} from '@wakestone/protocol/file-values'
import type { GoneEntry, TrashEntry } from '@wakestone/protocol/files'
import { typeOf } from './describe.ts'
import { FileError } from './errors.ts'
import { readNames } from './list.ts'
import { makeFolders } from './folders.ts'
import { dropFile, dropFolder, isId, makeId, openOwn, readNote, writeNote } from './own.ts'
import { lookAt, placeAll, renameAll, type Step } from './placing.ts'
import { doom, removeDoomed } from './remove.ts'
import { runTool } from './tool.ts'
import { type Folder, openFolderIn, type Volume } from './volume.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const CONTENT = 'content'
const INFO = 'info.json'
/** What had to go because its room was needed: the last of it, for whoever tells its owner. */
const GONE = 'gone.json'

export type Trash = ReturnType<typeof createTrash>

export function createTrash(volume: Volume) {
  /** Bytes of what is in there; what is counted once stays so, since nobody changes it. */
  const sizes = new Map<string, number>()
  const open = () => openOwn(volume.top, trashFolder)
  let removing: Promise<void> = Promise.resolve()

  /** Ids, the oldest first: they begin with the moment. */
  async function readIds(): Promise<string[]> {
    using trash = open()
    const ids: string[] = []
    for await (const names of readNames(trash))
      for (const name of names) if (typeof name === 'string' && isTrashId(name)) ids.push(name)
    return ids.toSorted()
  }

  async function sizeOf(id: string): Promise<number> {
    const known = sizes.get(id)
    if (known !== undefined) return known
    using trash = open()
    const script = `du -sk -- /proc/self/fd/3/${id} 2>/dev/null || true`
    const kibibytes = Number(
      /^(\d+)/.exec(await runTool('sh', ['-c', script], { fds: [trash.fd], nice: 10 }))?.[1] ?? 0,
    )
    sizes.set(id, kibibytes * 1024)
    return kibibytes * 1024
  }

  async function remove(id: string): Promise<void> {
    using trash = open()
    sizes.delete(id)
    await removeDoomed(volume, doom(volume, trash, id))
  }

  function readEntry(trash: Folder, id: string): TrashEntry | undefined {
    try {
      using folder = openFolderIn(trash, id)
      const stats = lookAt(folder, CONTENT)
      const path = readNote(folder, INFO)?.['path']
      if (!stats || typeof path !== 'string' || splitPath(path) === undefined) return undefined
      const type = typeOf(stats)
      const size = type === 'folder' ? (sizes.get(id) ?? null) : stats.size
      return { id, path, type, size, deletedAt: momentOf(id).toISOString() }
    } catch {
      return undefined
    }
  }

  return {
    /**
     * Puts things there, all of them or, where one is missing, none.
     * @throws FileError file_does_not_exist
     */
    async put(paths: string[]): Promise<void> {
      for (const path of paths) {
        using place = volume.find(path, 'write')
        if (place.name === '.' || !lookAt(place.folder, place.name))
          throw new FileError('file_does_not_exist', { path })
      }
      using trash = open()
      const steps = paths.map((path) => {
        using place = volume.find(path, 'write')
        const id = makeTrashId()
        using folder = openOwn(trash, id)
        writeNote(folder, INFO, { path: place.path })
        return { from: place.path, to: `${trashFolder}/${id}/${CONTENT}` }
      })
      // A kill before this leaves entries without content, which are none.
      await renameAll(volume, steps)
    },

    /**
     * Has what is at the ends of `steps` take the place of what goes into the trash: all of it or, where something that goes
     * is missing, nothing. With `names` only these of a folder go, and are found in it there.
     * @throws FileError file_does_not_exist
     */
    async exchange(gone: { path: string; names?: string[] }[], steps: Step[]): Promise<void> {
      using trash = open()
      const moves = gone.flatMap(({ path, names }) => {
        using place = volume.find(path, 'write')
        if (place.name === '.' || !lookAt(place.folder, place.name))
          throw new FileError('file_does_not_exist', { path })
        const id = makeTrashId()
        using folder = openOwn(trash, id)
        writeNote(folder, INFO, { path: place.path })
        const content = `${trashFolder}/${id}/${CONTENT}`
        if (names === undefined) return [{ from: place.path, to: content }]
        openOwn(folder, CONTENT)[Symbol.dispose]()
        return names.map((name) => ({ from: `${place.path}/${name}`, to: `${content}/${name}` }))
      })
      await renameAll(volume, [...moves, ...steps])
    },

    async list(): Promise<{ entries: TrashEntry[]; truncated: boolean }> {
      const ids = (await readIds()).reverse()
      using trash = open()
      const entries = ids.slice(0, entriesTold).map((id) => readEntry(trash, id))
      const there = entries.filter((entry) => entry !== undefined)
      // For the next time: a folder takes a while.
      const uncounted = there.filter(({ size }) => size === null)
      for (const { id } of uncounted.slice(0, 20)) await sizeOf(id)
      return {
        entries: there.map((entry) => (entry.size === null ? { ...entry, size: sizes.get(entry.id) ?? null } : entry)),
        truncated: ids.length > entriesTold,
      }
    },

    /**
     * To where each was, with the folders above it. With `within` only these paths below the one that is named, and the
     * rest of it stays.
     */
    async restore(ids: string[], overwrite: OverwriteMode, within?: string[]): Promise<string[]> {
      using trash = open()
      const entries = ids.map((id) => {
        const entry = isTrashId(id) ? readEntry(trash, id) : undefined
        if (!entry) throw new FileError('file_does_not_exist', { id })
        return entry
      })
      if (within !== undefined) {
        const [entry] = entries
        if (entry === undefined || entries.length > 1) throw new FileError('invalid_request', { within: 'of one' })
        return restoreWithin(entry, within, overwrite)
      }
      for (const { path } of entries) makeFolders(volume, folderOfPath(path))
      const steps = entries.map(({ id, path }) => ({ from: `${trashFolder}/${id}/${CONTENT}`, to: path }))
      const paths = await placeAll(volume, steps, overwrite)
      for (const id of ids) forget(trash, id)
      return paths
    },

    /** For good; null: all of it. */
    async remove(ids: string[] | null): Promise<void> {
      const known = await readIds()
      const unknown = ids?.find((id) => !known.includes(id))
      if (unknown !== undefined) throw new FileError('file_does_not_exist', { id: unknown })
      using trash = open()
      const doomed = (ids ?? known).map((id) => {
        sizes.delete(id)
        return doom(volume, trash, id)
      })
      // Gone for everybody by now; a hundred gigabytes take a while.
      removing = removing.then(() => removeDoomed(volume, ...doomed)).catch(() => {}) // the next service does it
    },
    /** Until all that was removed has given its room back. */
    settled: () => removing,

    /** What waited long enough, and what holds nothing. */
    async removeOld(now = Date.now()): Promise<void> {
      for (const id of await readIds()) {
        using trash = open()
        if (now - momentOf(id).getTime() > trashDays * DAY_MS || !readEntry(trash, id)) await remove(id)
      }
    },
    async removeOldest(now = Date.now()): Promise<boolean> {
      const [id] = await readIds()
      if (id === undefined) return false
      using trash = open()
      const entry = readEntry(trash, id)
      // Noted before it goes: a kill in between tells of something that goes with the next need of room.
      if (entry) {
        const gone = { id, path: entry.path, size: await sizeOf(id), goneAt: new Date(now).toISOString() }
        writeNote(trash, GONE, {
          gone: [gone, ...readGone(trash).filter((other) => other.id !== id)].slice(0, goneTold),
        })
      }
      await remove(id)
      return true
    },
    /** What went before its time, the last of it first. */
    gone(): GoneEntry[] {
      using trash = open()
      return readGone(trash)
    },
    async bytes(): Promise<number> {
      let sum = 0
      for (const id of await readIds()) sum += await sizeOf(id)
      return sum
    },
  }

  async function restoreWithin(entry: TrashEntry, within: string[], overwrite: OverwriteMode): Promise<string[]> {
    const content = `${trashFolder}/${entry.id}/${CONTENT}`
    const steps = within.map((inner) => {
      // As it is read: no link in it leads to anything else of ours.
      using place = volume.find(`${content}/${inner}`, 'read')
      if (!place.path.startsWith(`${content}/`) || !lookAt(place.folder, place.name))
        throw new FileError('file_does_not_exist', { path: inner })
      return { from: place.path, to: `${entry.path}/${inner}` }
    })
    for (const { to } of steps) makeFolders(volume, folderOfPath(to))
    sizes.delete(entry.id)
    return placeAll(volume, steps, overwrite)
  }

  function forget(trash: Folder, id: string) {
    {
      using folder = openFolderIn(trash, id)
      dropFile(folder, INFO)
    }
    dropFolder(trash, id)
    sizes.delete(id)
  }
}

/** Begins with the moment, in milliseconds. */
const makeTrashId = () => `${Date.now().toString().padStart(14, '0')}-${makeId()}`
const folderOfPath = (path: string) => path.split('/').slice(0, -1).join('/')

/** The game can have written it: what is no entry is none. */
function readGone(trash: Folder): GoneEntry[] {
  const gone = readNote(trash, GONE)?.['gone']
  if (!Array.isArray(gone)) return []
  return (gone as (Partial<GoneEntry> | null)[]).slice(0, goneTold).flatMap((entry) => {
    const { id, path, size, goneAt } = entry ?? {}
    const isWhole = typeof id === 'string' && typeof path === 'string' && typeof goneAt === 'string'
    return isWhole && typeof size === 'number' ? [{ id, path, size, goneAt }] : []
  })
}
const isTrashId = (name: string) => /^\d{14}-/.test(name) && isId(name.slice(15))
const momentOf = (id: string) => new Date(Number(id.slice(0, 14)))
