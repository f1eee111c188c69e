/**
 * Archives that worlds are taken out of, on their way: by the same queue as all uploads, so that one can be paused, outlasts
 * the dialog it was begun in, and goes on after a reload once the same file is chosen again. What name its world gets is
 * remembered here until it is there.
 */
import { importWorld } from '@wakestone/contract/servers/worlds-routes'
import { worldUploadsFolder } from '@wakestone/contract/servers/file-values'
import { api } from '#app/api/client.ts'
import { createStore } from '#app/ui/create-store.ts'
import type { UploadQueue } from '../files/uploads/upload-queue.ts'

export type WorldUpload = {
  /** Of the world. */
  name: string
  /** Of the archive. */
  file: string
  size: number
  sent: number
  /**
   *   sending, paused, offline   as the queue has it
   *   importing     it is there, and its world is asked for
   *   interrupted   cut off by a reload: the file has to be chosen again
   *   failed        `error` says why; `isThere` whether the archive has arrived
   */
  state: 'sending' | 'paused' | 'offline' | 'importing' | 'interrupted' | 'failed'
  isThere: boolean
  error: unknown
}

type Remembered = { name: string; file: string; size: number; isThere: boolean }

const all = new Map<string, WorldUploads>()
type WorldUploads = ReturnType<typeof createWorldUploads>
export function worldUploadsOf(serverId: string): WorldUploads {
  const uploads = all.get(serverId) ?? createWorldUploads(serverId)
  all.set(serverId, uploads)
  return uploads
}

export const archivePath = (file: string) => `${worldUploadsFolder}/${file}`

function createWorldUploads(serverId: string) {
  const key = `wakestone-world-upload-${serverId}`
  const store = createStore<WorldUpload | null>(null)
  let onImported: () => unknown = () => {}
  let stopWatching = () => {}

  const remember = (upload: Remembered | null) => {
    try {
      if (upload === null) localStorage.removeItem(key)
      else localStorage.setItem(key, JSON.stringify(upload))
    } catch {
      // Without it an upload cannot go on after a reload, and that is all.
    }
  }
  const readRemembered = (): Remembered | null => {
    try {
      const value = JSON.parse(localStorage.getItem(key) ?? 'null') as Partial<Remembered> | null
      const isWhole = typeof value?.name === 'string' && typeof value.file === 'string' && Number.isFinite(value.size)
      return isWhole ? (value as Remembered) : null
    } catch {
      return null
    }
  }
  const change = (part: Partial<WorldUpload>) => {
    const now = store.get()
    if (now !== null) store.set({ ...now, ...part })
  }
  const openQueue = async () => (await import('../files/uploads/uploads.ts')).uploadsOf(serverId)

  async function takeIn(): Promise<void> {
    const upload = store.get()
    if (upload === null || upload.state === 'importing') return
    change({ state: 'importing', isThere: true, sent: upload.size, error: undefined })
    remember({ name: upload.name, file: upload.file, size: upload.size, isThere: true })
    try {
      const body = { path: archivePath(upload.file), name: upload.name, remove_archive: true }
      await api(importWorld, { params: { id: serverId }, body })
      remember(null)
      store.set(null)
      await onImported()
    } catch (error) {
      change({ state: 'failed', error })
    }
  }

  function follow(queue: UploadQueue, path: string): void {
    stopWatching()
    const look = () => {
      const upload = [...queue.all()].find((one) => one.path === path)
      const now = store.get()
      if (now === null || now.state === 'importing') return
      if (upload === undefined) return giveUp()
      if (upload.state === 'conflict') return queue.decide(upload.batch, 'replace') // an older archive of the same name
      if (upload.state === 'failed') {
        stopWatching()
        return change({ state: 'failed', error: upload.error ?? 'internal_error' })
      }
      if (upload.state === 'done' || upload.state === 'skipped') {
        stopWatching()
        return void takeIn()
      }
      const { mood } = queue.sums()
      change({ state: mood === 'paused' || mood === 'offline' ? mood : 'sending', sent: upload.sent })
    }
    stopWatching = queue.subscribe(look)
    look()
  }
  const giveUp = () => {
    stopWatching()
    remember(null)
    store.set(null)
  }

  return {
    store,
    /** What is to be asked for anew when a world has begun to be taken in. */
    setImported(listener: () => unknown): void {
      onImported = listener
    },
    /** Looks for one that a reload has cut off. */
    find(): void {
      const found = readRemembered()
      if (store.get() !== null || found === null) return
      store.set({ ...found, sent: found.isThere ? found.size : 0, state: 'interrupted', error: undefined })
      // All of it was there: only its world had not been asked for, or that was refused.
      if (found.isThere) void takeIn()
    },
    async start(file: File, name: string): Promise<void> {
      remember({ name, file: file.name, size: file.size, isThere: false })
      const blank = { sent: 0, isThere: false, error: undefined }
      store.set({ name, file: file.name, size: file.size, state: 'sending', ...blank })
      const uploads = await openQueue()
      await uploads.findInterrupted()
      await uploads.add({ files: [{ path: file.name, file }], emptyFolders: [], handles: [] }, worldUploadsFolder)
      follow(uploads.queue, archivePath(file.name))
    },
    /** Its world, once more and by another name where that is wanted. */
    async importAgain(name: string): Promise<void> {
      change({ name })
      await takeIn()
    },
    async pause(): Promise<void> {
      ;(await openQueue()).queue.pause()
    },
    async resume(): Promise<void> {
      ;(await openQueue()).queue.resume()
    },
    /** Gives it up; what has arrived goes from the server in its time. */
    async cancel(): Promise<void> {
      const upload = store.get()
      giveUp()
      if (upload === null) return
      const uploads = await openQueue()
      await uploads.cancel(({ path }) => path === archivePath(upload.file))
      for (const one of uploads.interrupted.get())
        if (one.batch.folder === worldUploadsFolder) await uploads.forget(one)
    },
  }
}
