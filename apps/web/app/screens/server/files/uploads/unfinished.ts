/**
 * Uploads that a reload has cut off, as this browser remembers them: what was to be sent, what has arrived, and where the
 * browser allows it, how to find the files again. Kept by IndexedDB, since it may be a hundred thousand names.
 */

/** [path within what was dropped, bytes, last change in ms] */
export type UnfinishedFile = [path: string, size: number, mtime: number]

export type Unfinished = {
  id: string
  serverId: string
  /** The folder that they go to. */
  folder: string
  startedAt: number
  files: UnfinishedFile[]
  handles: FileSystemHandle[]
}

const databaseName = 'wakestone-uploads'
/** What nobody has gone on with is forgotten; the server keeps parts no longer. */
const keptFor = 7 * 86_400_000

const settle = <Result>(request: IDBRequest<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB')))
  })

let opened: Promise<IDBDatabase> | undefined
function open(): Promise<IDBDatabase> {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(databaseName, 1)
    request.addEventListener('upgradeneeded', () => {
      request.result.createObjectStore('batches', { keyPath: 'id' })
      // Places of files that have ended, by batch: a batch is written once, however many of its files end.
      request.result.createObjectStore('ended', { keyPath: ['batch', 'part'] })
    })
    settle(request).then(resolve, reject)
  })
  return opened
}

type EndedPart = { batch: string; part: number; places: number[] }
const partsOf = (batch: string) => IDBKeyRange.bound([batch, 0], [batch, Number.MAX_SAFE_INTEGER])

/** Nothing here is worth failing for: without it an upload only cannot go on after a reload. */
const quietly = async <Result>(
  work: (database: IDBDatabase) => Promise<Result>,
  otherwise: Result,
): Promise<Result> => {
  try {
    return await work(await open())
  } catch {
    return otherwise
  }
}

export const rememberBatch = (batch: Unfinished) =>
  quietly(async (database) => {
    const store = () => database.transaction('batches', 'readwrite').objectStore('batches')
    // Some browsers cannot keep handles.
    await settle(store().put(batch)).catch(() => settle(store().put({ ...batch, handles: [] })))
  }, undefined)

/** Files of a batch, by their places in it, that need not be sent any more. `part` counts up. */
export const rememberEnded = (batch: string, part: number, places: number[]) =>
  quietly(async (database) => {
    const ended: EndedPart = { batch, part, places }
    await settle(database.transaction('ended', 'readwrite').objectStore('ended').put(ended))
  }, undefined)

export const forgetBatch = (id: string) =>
  quietly(async (database) => {
    const change = database.transaction(['batches', 'ended'], 'readwrite')
    await settle(change.objectStore('batches').delete(id))
    await settle(change.objectStore('ended').delete(partsOf(id)))
  }, undefined)

/** Batches to a server that are remembered, with the places of what has ended. Old ones are forgotten. */
export const readUnfinished = (serverId: string) =>
  quietly<{ batch: Unfinished; ended: Set<number> }[]>(async (database) => {
    const batches = await settle<Unfinished[]>(database.transaction('batches').objectStore('batches').getAll())
    const found: { batch: Unfinished; ended: Set<number> }[] = []
    for (const batch of batches) {
      if (Date.now() - batch.startedAt > keptFor) await forgetBatch(batch.id)
      else if (batch.serverId === serverId) {
        const store = database.transaction('ended').objectStore('ended')
        const parts = await settle<EndedPart[]>(store.getAll(partsOf(batch.id)))
        found.push({ batch, ended: new Set(parts.flatMap(({ places }) => places)) })
      }
    }
    return found
  }, [])
