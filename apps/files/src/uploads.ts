/**
 * Files that come in parts, as tus 1.0 has it: `.transfers/uploads/<id>/data` and a note of how far it is. A kill at any
 * moment costs what had not been noted; after a power cut only what had reached the disk counts, which the note of another
 * boot of the machine says. The last part has the file renamed into its place.
 */
import { createHash, type Hash } from 'node:crypto'
import {
  closeSync,
  constants,
  fchmodSync,
  fdatasync,
  fstatSync,
  ftruncateSync,
  futimesSync,
  read,
  readFileSync,
} from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { splitPath, uploadDays, uploadsOpen } from '@wakestone/protocol/file-values'
import type { Upload, UploadRequest } from '@wakestone/protocol/files'
import { revisionOf } from './describe.ts'
import { errnoOf, FileError } from './errors.ts'
import { makeFolders } from './folders.ts'
import { readNames } from './list.ts'
import { createFile, dropFile, dropFolder, openOwn, openOwnPath, readNote, syncFile, writeNote } from './own.ts'
import { lookAt, placeAll } from './placing.ts'
import { receiveAt } from './receive.ts'
import { idOf, type Note, readChecksum, readOffset, readUploadNote } from './upload-note.ts'
import { doom, removeDoomed } from './remove.ts'
import type { Space } from './space.ts'
import { openFolderIn, openPlainFile, type Volume } from './volume.ts'

const FOLDER = ['.transfers', 'uploads']
const DATA = 'data'
const NOTE = 'note'
const DAY_MS = 24 * 60 * 60 * 1000
/** How much comes between two times that the disk has it for sure. */
const DURABLE_BYTES = 64 * 1024 * 1024
const HASH_CHUNK = 1024 * 1024
const readAt = promisify(read)
const syncData = promisify(fdatasync)
const ID = /^[0-9a-f]{32}$/

/** One that this process knows of. `end` is there while a part comes. */
type Active = { note: Note; hash: Hash | undefined; hashed: number; end?: () => void; busy: Promise<unknown> }

export type Uploads = ReturnType<typeof createUploads>

export function createUploads({ volume, space }: { volume: Volume; space: Space }) {
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  const active = new Map<string, Active>()
  /** Where those are that were completed since the service started, for those who did not hear of it. */
  const completed = new Map<string, { path: string; size: number }>()
  const openAll = () => openOwnPath(volume.top, FOLDER)

  async function readIds(): Promise<string[]> {
    using all = openAll()
    const ids: string[] = []
    for await (const names of readNames(all))
      for (const name of names) if (typeof name === 'string' && ID.test(name)) ids.push(name)
    return ids
  }

  /** How far it is, from what the disk says. */
  function load(id: string): Active | undefined {
    const known = active.get(id)
    if (known) return known
    try {
      using all = openAll()
      using folder = openFolderIn(all, id)
      const note = readUploadNote(readNote(folder, NOTE))
      if (!note) return undefined
      if (note.placing && !lookAt(folder, DATA)) {
        finishLost(id, note)
        return undefined
      }
      const stats = lookAt(folder, DATA)
      if (!stats?.isFile()) return undefined
      const counted = note.boot !== boot ? note.durable : note.isLoose ? stats.size : note.offset
      note.offset = Math.min(counted, stats.size, note.size)
      const upload: Active = { note, hash: undefined, hashed: 0, busy: Promise.resolve() }
      active.set(id, upload)
      space.reserve(id, note.size - note.offset)
      return upload
    } catch (error) {
      if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR' || error instanceof FileError) return undefined
      throw error
    }
  }

  function openData(id: string): number {
    using all = openAll()
    using folder = openFolderIn(all, id)
    return openPlainFile(folder.at(DATA), constants.O_RDWR).fd
  }

  function save(id: string, { note }: Active): void {
    using all = openAll()
    using folder = openOwn(all, id)
    writeNote(folder, NOTE, { ...note, boot })
  }

  function get(id: string, mayUse: (path: string) => boolean): Active {
    const upload = ID.test(id) ? load(id) : undefined
    if (!upload || !mayUse(upload.note.path)) throw new FileError('upload_not_found')
    return upload
  }

  function complete(id: string, { path, size }: { path: string; size: number }): void {
    completed.set(id, { path, size })
    if (completed.size > uploadsOpen) completed.delete(completed.keys().next().value!)
  }

  /** One that was placed and killed before it could say so. */
  function finishLost(id: string, { placing, size }: Note): void {
    using place = volume.find(placing!.to, 'write')
    const stats = lookAt(place.folder, place.name)
    if (stats?.ino.toString() === placing!.ino) complete(id, { path: placing!.to, size })
    drop(id)
  }

  function close(id: string): void {
    active.delete(id)
    space.reserve(id, 0)
  }

  function drop(id: string): void {
    close(id)
    using all = openAll()
    {
      using folder = openFolderIn(all, id)
      dropFile(folder, DATA)
      dropFile(folder, NOTE)
    }
    dropFolder(all, id)
  }

  /** Sent before, to its end: whoever begins again after a reload has nothing to do. */
  async function isThere({ path, size, mtime, sha256, overwrite = 'fail' }: UploadRequest): Promise<boolean> {
    if (mtime === undefined || overwrite !== 'fail') return false
    try {
      using place = volume.find(path, 'write')
      const stats = lookAt(place.folder, place.name)
      if (stats?.isFile() !== true || stats.size !== size || Math.trunc(stats.mtimeMs) !== mtime) return false
      if (sha256 === undefined) return true
      const { fd } = openPlainFile(place.folder.at(place.name), constants.O_RDONLY)
      try {
        return (await hashFile(fd, size)) === sha256
      } finally {
        closeSync(fd)
      }
    } catch {
      return false
    }
  }

  /** Where it is to be is looked at before all of it is sent. */
  function checkTarget({ path, overwrite = 'fail' }: UploadRequest): void {
    if (splitPath(path) === undefined || path === '') throw new FileError('unknown_file_name')
    try {
      using place = volume.find(path, 'write')
      const stats = lookAt(place.folder, place.name)
      if (!stats || overwrite === 'keep-both') return
      if (overwrite === 'fail') throw new FileError('resource_already_exists', { path })
      if (stats.isDirectory()) throw new FileError('file_has_other_type', { path })
    } catch (error) {
      // The folders above it are made in the end.
      if (errnoOf(error) !== 'ENOENT') throw error
    }
  }

  async function finish(id: string, upload: Active): Promise<{ path: string; revision: string }> {
    const fd = openData(id)
    try {
      return await placeWhole(id, upload, fd)
    } finally {
      closeSync(fd)
    }
  }

  async function placeWhole(id: string, upload: Active, fd: number): Promise<{ path: string; revision: string }> {
    const { note } = upload
    if (note.sha256 !== undefined && (await hashWhole(upload, fd)) !== note.sha256) {
      drop(id)
      throw new FileError('upload_checksum_differs')
    }
    using all = openAll()
    using folder = openFolderIn(all, id)
    makeFolders(volume, note.path.split('/').slice(0, -1).join('/'))
    const mode = modeOf(volume, note.path)
    if (mode !== undefined) fchmodSync(fd, mode)
    if (note.mtime !== undefined) futimesSync(fd, note.mtime / 1000, note.mtime / 1000)
    await syncFile(fd)
    const from = `${FOLDER.join('/')}/${id}/${DATA}`
    const ino = fstatSync(fd).ino.toString()
    const [path] = await placeAll(volume, [{ from, to: note.path }], note.overwrite ?? 'fail', {
      settled: ([to]) => writeNote(folder, NOTE, { ...note, boot, placing: { ino, to } }),
    })
    const revision = revisionOf(fstatSync(fd, { bigint: true }))
    complete(id, { path: path!, size: note.size })
    drop(id)
    return { path: path!, revision }
  }

  return {
    /**
     * Begins one, or finds the one that is there.
     * @throws FileError resource_already_exists, file_has_other_type, disc_quota_exceeding, too_many_requests
     */
    async create(request: UploadRequest): Promise<Upload> {
      const id = idOf(request)
      if (await isThere(request)) {
        complete(id, request)
        return { id, offset: request.size, size: request.size, path: request.path }
      }
      checkTarget(request)
      completed.delete(id)
      const { size, overwrite } = request
      let upload = load(id)
      if (!upload) {
        if ((await readIds()).length >= uploadsOpen) throw new FileError('too_many_requests')
        await space.require(size)
        using all = openAll()
        using folder = openOwn(all, id)
        dropFile(folder, DATA)
        closeSync(createFile(folder, DATA))
        const note = { ...request, offset: 0, isLoose: false, durable: 0, boot }
        upload = { note, hash: createHash('sha256'), hashed: 0, busy: Promise.resolve() }
        active.set(id, upload)
        space.reserve(id, size)
      }
      if (overwrite) upload.note.overwrite = overwrite
      else delete upload.note.overwrite
      save(id, upload)
      if (upload.note.offset < size) return { id, offset: upload.note.offset, size, path: null }
      const { path } = await alone(upload, () => finish(id, upload))
      return { id, offset: size, size, path }
    },

    /** `mayUse`: whether whoever asks may know of an upload to that path. */
    find(id: string, mayUse: (path: string) => boolean): { offset: number; size: number } {
      const done = completed.get(id)
      if (done && mayUse(done.path)) return { offset: done.size, size: done.size }
      const { note } = get(id, mayUse)
      return { offset: note.offset, size: note.size }
    },

    /**
     * Takes the next part; whoever else still sends one for this upload is cut off, since their connection is likely dead.
     * @returns how far it is, and where it is once it is complete
     */
    async append(id: string, request: IncomingMessage, mayUse: (path: string) => boolean) {
      const upload = get(id, mayUse)
      upload.end?.()
      return alone(upload, async () => {
        if (active.get(id) !== upload) throw new FileError('upload_not_found')
        const fd = openData(id)
        try {
          await takePart(id, upload, { request, fd })
        } finally {
          closeSync(fd)
        }
        const { offset, size } = upload.note
        return { offset, placed: offset === size ? await finish(id, upload) : undefined }
      })
    },

    async remove(id: string, mayUse: (path: string) => boolean): Promise<void> {
      const upload = get(id, mayUse)
      upload.end?.()
      await alone(upload, () => drop(id))
    },

    /** What nobody has gone on with for a week. */
    async removeOld(now = Date.now()): Promise<void> {
      for (const id of await readIds()) {
        if (active.get(id)?.end) continue
        using all = openAll()
        const stats = lookAt(all, id)
        if (!stats) continue
        if (now - stats.mtimeMs < uploadDays * DAY_MS) {
          load(id) // so that its room is kept
          continue
        }
        close(id)
        await removeDoomed(volume, doom(volume, all, id))
      }
    },
    isBusy: () => [...active.values()].some(({ end }) => end !== undefined),
  }

  async function takePart(
    id: string,
    upload: Active,
    { request, fd }: { request: IncomingMessage; fd: number },
  ): Promise<void> {
    const { note } = upload
    const offset = readOffset(request.headers['upload-offset'])
    if (offset !== note.offset) throw new FileError('upload_offset_differs', { offset: note.offset })
    const checksum = readChecksum(request.headers['upload-checksum'])
    const announced = request.headers['content-length']
    if (announced !== undefined && offset + Number(announced) > note.size) throw new FileError('request_too_large')
    note.isLoose = checksum === undefined
    ftruncateSync(fd, offset)
    save(id, upload)
    const part = checksum === undefined ? undefined : createHash('sha256')
    const before = upload.hash?.copy()
    upload.end = () => request.destroy()
    let durable = offset
    let syncing: Promise<void> | undefined
    try {
      await receiveAt(request, {
        fd,
        offset,
        limit: note.size - offset,
        onChunk(chunk) {
          part?.update(chunk)
          if (note.sha256 !== undefined && upload.hash && upload.hashed === note.offset) {
            upload.hash.update(chunk)
            upload.hashed += chunk.length
          }
          if (!checksum) note.offset += chunk.length
        },
        onWritten(to) {
          if (checksum || to - durable < DURABLE_BYTES || syncing) return
          syncing = syncData(fd)
            .then(() => {
              durable = note.durable = to
              save(id, upload)
            })
            .catch(() => {})
            .finally(() => (syncing = undefined))
        },
      })
    } catch (error) {
      await syncing
      settle(false)
      throw error
    } finally {
      delete upload.end
    }
    await syncing
    const isGood = request.complete && (!checksum || part!.digest('base64') === checksum)
    settle(isGood)
    if (!isGood && checksum && request.complete) throw new FileError('upload_checksum_differs')
    if (!request.complete) throw new FileError('invalid_request', { body: 'cut off' })

    /** What was written counts, but for a part whose checksum does not. */
    function settle(isWhole: boolean) {
      const { size } = fstatSync(fd)
      note.offset = checksum && !isWhole ? offset : Math.min(size, note.size)
      note.isLoose = false
      if (size !== note.offset) ftruncateSync(fd, note.offset)
      if (upload.hashed !== note.offset) {
        upload.hash = note.offset === offset ? before : undefined
        upload.hashed = note.offset === offset ? offset : 0
      }
      space.add(note.offset - offset)
      space.reserve(id, note.size - note.offset)
      save(id, upload)
    }
  }
}

/** One after the other. */
async function alone<T>(upload: Active, work: () => Promise<T> | T): Promise<T> {
  const result = upload.busy.then(work)
  upload.busy = result.catch(() => {})
  return result
}

const hashWhole = ({ note, hash, hashed }: Active, fd: number): string | Promise<string> =>
  hash && hashed === note.size ? hash.digest('hex') : hashFile(fd, note.size)

async function hashFile(fd: number, size: number): Promise<string> {
  const whole = createHash('sha256')
  const buffer = Buffer.allocUnsafeSlow(HASH_CHUNK)
  for (let at = 0; at < size;) {
    const { bytesRead } = await readAt(fd, buffer, 0, buffer.length, at)
    if (bytesRead === 0) break
    whole.update(buffer.subarray(0, bytesRead))
    at += bytesRead
  }
  return whole.digest('hex')
}

/** Of the file that it takes the place of. */
function modeOf(volume: Volume, path: string): number | undefined {
  using place = volume.find(path, 'write')
  const stats = lookAt(place.folder, place.name)
  return stats?.isFile() ? stats.mode & 0o777 : undefined
}
