/**
 * Uploads of this tab, by server: they go on while other screens are looked at. What a reload cuts off is remembered, and
 * goes on once the same files are at hand again.
 */
import { makeFolder } from '@wakestone/contract/servers/files-routes'
import { randomId } from '#app/api/random-id.ts'
import { api } from '#app/api/client.ts'
import { createStore } from '#app/ui/create-store.ts'
import { joinPath } from '../paths.ts'
import { leftOf, matchUnfinished, type Remembered } from './match-unfinished.ts'
import { type Found, type FoundFile, readAgain } from './read-dropped.ts'
import { forgetUpload, sendTo } from './send-file.ts'
import { forgetBatch, readUnfinished, rememberBatch, rememberEnded, type Unfinished } from './unfinished.ts'
import { createUploadQueue, type Upload } from './upload-queue.ts'

export type ServerUploads = ReturnType<typeof createServerUploads>

const all = new Map<string, ServerUploads>()
export function uploadsOf(serverId: string): ServerUploads {
  let uploads = all.get(serverId)
  if (uploads === undefined) {
    uploads = createServerUploads(serverId)
    all.set(serverId, uploads)
  }
  return uploads
}

/** What has ended is written down this often. */
const writeEvery = 500
const lockOf = (batch: string) => `wakestone-upload-${batch}`

function createServerUploads(serverId: string) {
  /** Uploads that a reload has cut off and nobody has gone on with. */
  const interrupted = createStore<readonly Remembered[]>([])
  /** Files found so far while a folder is read that was dropped; null: none is. */
  const reading = createStore<number | null>(null)
  const batches = new Map<
    string,
    { places: Map<string, number>; ended: number[]; parts: number; release: () => void }
  >()
  let writing: ReturnType<typeof setTimeout> | undefined

  const write = async () => {
    clearTimeout(writing)
    writing = undefined
    for (const [id, batch] of batches) {
      if (batch.ended.length > 0) await rememberEnded(id, batch.parts++, batch.ended.splice(0))
    }
  }
  const finish = async (id: string) => {
    batches.get(id)?.release()
    batches.delete(id)
    await forgetBatch(id)
  }
  const queue = createUploadQueue({
    send: sendTo(serverId),
    onEnd({ batch, path, state }) {
      const known = batches.get(batch)
      const place = known?.places.get(path)
      if (known === undefined || place === undefined || state === 'failed') return
      known.ended.push(place)
      writing ??= setTimeout(() => void write(), writeEvery)
    },
    onIdle() {
      const failed = new Set(queue.ofState('failed').map(({ batch }) => batch))
      for (const id of batches.keys()) if (!failed.has(id)) void finish(id)
    },
  })
  window.addEventListener('online', queue.reconnect)
  window.addEventListener('pagehide', () => void write())
  window.addEventListener('beforeunload', (event) => {
    const { counts } = queue.sums()
    if (counts.waiting + counts.sending > 0) event.preventDefault()
  })

  /** Other tabs see by the lock that this one is at work on it. */
  const hold = (id: string): (() => void) => {
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    void navigator.locks?.request(lockOf(id), () => held)
    return release
  }

  async function begin(files: readonly FoundFile[], folder: string, handles: FileSystemHandle[]): Promise<void> {
    const before = matchUnfinished(files, folder, interrupted.get())
    const batch: Unfinished = {
      id: randomId(),
      serverId,
      folder,
      startedAt: Date.now(),
      files: files.map(({ path, file }) => [path, file.size, file.lastModified]),
      handles,
    }
    const places = new Map(files.map(({ path }, place) => [joinPath(folder, path), place]))
    batches.set(batch.id, { places, ended: [], parts: 0, release: hold(batch.id) })
    await rememberBatch(batch)
    if (before !== undefined) {
      interrupted.set(interrupted.get().filter(({ batch: { id } }) => id !== before.batch.id))
      await forgetBatch(before.batch.id)
    }
    queue.add(
      files.map(({ path, file }, place) => ({
        batch: batch.id,
        path: joinPath(folder, path),
        file,
        isThere: before?.isThere[place] === true,
      })),
    )
  }

  return {
    queue,
    interrupted,
    reading,
    /** Sends what was found into a folder. */
    async add({ files, emptyFolders, handles }: Found, folder: string): Promise<void> {
      for (const path of emptyFolders)
        await api(makeFolder, { params: { id: serverId }, body: { path: joinPath(folder, path) } }).catch(() => {})
      if (files.length > 0) await begin(files, folder, handles)
    },
    /** Looks for what was cut off, but for what another tab is at work on. */
    async findInterrupted(): Promise<void> {
      const found = await readUnfinished(serverId)
      const locks = await navigator.locks?.query().catch(() => undefined)
      const held = new Set(locks?.held?.map(({ name }) => name))
      const left = found.filter((one) => !batches.has(one.batch.id) && !held.has(lockOf(one.batch.id)))
      interrupted.set(left.filter((one) => leftOf(one).length > 0))
    },
    /** Goes on where the browser still knows the files. Answers false where they have to be chosen again. */
    async goOn({ batch, ended }: Remembered): Promise<boolean> {
      const left = leftOf({ batch, ended })
      const files = await readAgain(
        batch.handles,
        left.map(([path]) => path),
      )
      if (files.length === 0) return false
      await begin(files, batch.folder, batch.handles)
      return true
    },
    async forget({ batch }: Remembered): Promise<void> {
      interrupted.set(interrupted.get().filter((one) => one.batch.id !== batch.id))
      await forgetBatch(batch.id)
    },
    /** Forgets what has ended, and what has failed. */
    clear(): void {
      queue.clear()
      const open = new Set([...queue.all()].map(({ batch }) => batch))
      for (const id of batches.keys()) if (!open.has(id)) void finish(id)
    },
    /** Gives up what has not arrived; parts of it are deleted on the server too. */
    async cancel(which?: (upload: Upload) => boolean): Promise<void> {
      const given = queue.cancel(which)
      const left = new Set([...queue.all()].filter(({ state }) => state !== 'done').map(({ batch }) => batch))
      for (const id of new Set(given.map(({ batch }) => batch))) if (!left.has(id)) await finish(id)
      for (const upload of given) if (upload.sent > 0) await forgetUpload(serverId, upload).catch(() => {})
    },
  }
}
