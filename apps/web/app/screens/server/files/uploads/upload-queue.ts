/**
 * What is to be sent to a server, in order, some files at a time. Knows nothing of the network: whoever sends is handed in.
 * It may hold 100 000 files, so it changes in place and tells its listeners, at most every tenth of a second, that it has.
 */
import type { ErrorCode } from '@wakestone/contract/errors'
import type { OverwriteMode } from '@wakestone/contract/servers/file-values'

/**
 *   waiting    for its turn
 *   sending
 *   conflict   something of that name is there: the owner decides
 *   done
 *   skipped    stays as it is on the server
 *   failed     `error` says why
 */
export type UploadState = 'waiting' | 'sending' | 'conflict' | 'done' | 'skipped' | 'failed'

export type Upload = {
  readonly id: number
  /** What was dropped or chosen at once. */
  readonly batch: string
  /** Where it goes, from the top of the server's files. */
  readonly path: string
  readonly file: File
  state: UploadState
  overwrite: OverwriteMode
  /** Bytes that have arrived. */
  sent: number
  error?: ErrorCode
}

/** How sending one file ended. `offline`: no connection, to be tried again by itself. */
export type SendOutcome =
  | { kind: 'done' }
  | { kind: 'conflict' }
  | { kind: 'offline' }
  | { kind: 'failed'; error: ErrorCode }
/** Sends one file, from where it is; `signal` ends it, and what has arrived stays. */
export type Send = (upload: Upload, onSent: (bytes: number) => void, signal: AbortSignal) => Promise<SendOutcome>

export type QueueSums = {
  files: number
  bytes: number
  /** Bytes that have arrived, with those of files that are skipped. */
  sent: number
  counts: Readonly<Record<UploadState, number>>
  /** `offline`: waits for the connection. `idle`: nothing is left to send. */
  mood: 'idle' | 'running' | 'paused' | 'offline'
}

type Options = {
  send: Send
  /** How many files at a time. */
  atOnce?: number
  /** How one has ended, as soon as it has. */
  onEnd?: (upload: Upload) => void
  /** Nothing is left to send, or to decide. */
  onIdle?: () => void
  /** Milliseconds until it is tried again without a connection, by how often it was tried. */
  retryAfter?: (tries: number) => number
  /** Milliseconds between two tellings. */
  tellEvery?: number
}

const noCounts = { waiting: 0, sending: 0, conflict: 0, done: 0, skipped: 0, failed: 0 }
export type UploadQueue = ReturnType<typeof createUploadQueue>

export function createUploadQueue({
  send,
  atOnce = 4,
  onEnd = () => {},
  onIdle = () => {},
  retryAfter = (tries) => Math.min(15_000, 1000 * 2 ** tries),
  tellEvery = 100,
}: Options) {
  const uploads = new Map<number, Upload>()
  /** Waiting, in order: a queue of its own, or each turn would look through all. */
  let waiting: number[] = []
  const sending = new Map<number, AbortController>()
  const choices = new Map<string, OverwriteMode | 'skip'>()
  const counts: Record<UploadState, number> = { ...noCounts }
  const listeners = new Set<() => void>()
  let bytes = 0
  let sent = 0
  let isPaused = false
  let retry: ReturnType<typeof setTimeout> | undefined
  let tries = 0
  let nextId = 1
  let telling: ReturnType<typeof setTimeout> | undefined
  let sums: QueueSums = { files: 0, bytes: 0, sent: 0, counts: noCounts, mood: 'idle' }

  const tell = () => {
    telling ??= setTimeout(() => {
      telling = undefined
      sums = { files: uploads.size, bytes, sent, counts: { ...counts }, mood: moodNow() }
      for (const listener of listeners) listener()
    }, tellEvery)
  }
  const moodNow = (): QueueSums['mood'] => {
    if (counts.waiting + counts.sending === 0) return 'idle'
    if (isPaused) return 'paused'
    return retry === undefined ? 'running' : 'offline'
  }
  const setSent = (upload: Upload, value: number) => {
    sent += value - upload.sent
    upload.sent = value
    tell()
  }
  const setState = (upload: Upload, state: UploadState) => {
    counts[upload.state] -= 1
    counts[state] += 1
    upload.state = state
    if (state === 'done' || state === 'skipped') setSent(upload, upload.file.size)
    if (state === 'done' || state === 'skipped' || state === 'failed') onEnd(upload)
    tell()
  }
  const wait = (upload: Upload, isFirst = false) => {
    setState(upload, 'waiting')
    if (isFirst) waiting.unshift(upload.id)
    else waiting.push(upload.id)
  }
  const meetConflict = (upload: Upload) => {
    const choice = choices.get(upload.batch)
    if (choice === undefined) return setState(upload, 'conflict')
    if (choice === 'skip') return setState(upload, 'skipped')
    // What was decided has been tried: asking again would go round for ever.
    if (upload.overwrite !== 'fail') {
      upload.error = 'resource_already_exists'
      return setState(upload, 'failed')
    }
    upload.overwrite = choice
    wait(upload)
  }

  async function sendOne(upload: Upload): Promise<void> {
    const control = new AbortController()
    sending.set(upload.id, control)
    setState(upload, 'sending')
    const outcome = await send(
      upload,
      (value) => !control.signal.aborted && setSent(upload, value),
      control.signal,
    ).catch((): SendOutcome => ({ kind: 'failed', error: 'internal_error' }))
    if (sending.get(upload.id) === control) sending.delete(upload.id)
    // Paused, or given up: whoever ended it has said what it is now.
    if (control.signal.aborted) return
    if (outcome.kind === 'done') setState(upload, 'done')
    else if (outcome.kind === 'conflict') meetConflict(upload)
    else if (outcome.kind === 'failed') {
      upload.error = outcome.error
      setState(upload, 'failed')
    } else wait(upload, true)
    if (outcome.kind === 'offline') waitForConnection()
    else tries = 0
    work()
  }
  function waitForConnection(): void {
    retry ??= setTimeout(reconnect, retryAfter(tries++))
    tell()
  }
  function reconnect(): void {
    clearTimeout(retry)
    retry = undefined
    work()
    tell()
  }
  function work(): void {
    // After an end of the connection one file tries it for all.
    const most = tries > 0 ? 1 : atOnce
    while (!isPaused && retry === undefined && sending.size < most && waiting.length > 0) {
      const upload = uploads.get(waiting.shift()!)
      if (upload?.state === 'waiting') void sendOne(upload)
    }
    if (counts.waiting + counts.sending + counts.conflict === 0 && uploads.size > 0) onIdle()
  }
  function stop(upload: Upload): void {
    sending.get(upload.id)?.abort()
    sending.delete(upload.id)
  }
  const remove = (upload: Upload) => {
    stop(upload)
    counts[upload.state] -= 1
    bytes -= upload.file.size
    sent -= upload.sent
    uploads.delete(upload.id)
    tell()
  }

  return {
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    sums: () => sums,
    all: (): Iterable<Upload> => uploads.values(),
    ofState: (state: UploadState): Upload[] => [...uploads.values()].filter((upload) => upload.state === state),
    /** `isThere`: the server has it already, by an upload that was interrupted. */
    add(some: readonly { batch: string; path: string; file: File; isThere?: boolean }[]): void {
      for (const { batch, path, file, isThere = false } of some) {
        const upload: Upload = { id: nextId++, batch, path, file, state: 'waiting', overwrite: 'fail', sent: 0 }
        uploads.set(upload.id, upload)
        counts.waiting += 1
        bytes += file.size
        if (isThere) setState(upload, 'done')
        else waiting.push(upload.id)
      }
      tell()
      work()
    },
    /** What has arrived stays; they go on from there. */
    pause(): void {
      isPaused = true
      const paused = [...sending.keys()]
      waiting.unshift(...paused)
      for (const id of paused) {
        const upload = uploads.get(id)!
        stop(upload)
        setState(upload, 'waiting')
      }
      tell()
    },
    resume(): void {
      isPaused = false
      reconnect()
    },
    /** The connection is back, or may be. */
    reconnect: () => {
      if (retry !== undefined) reconnect()
    },
    retryFailed(): void {
      for (const upload of uploads.values()) {
        if (upload.state !== 'failed') continue
        delete upload.error
        wait(upload)
      }
      work()
    },
    /** For one that is in question, or for all of its batch, now and later. */
    decide(batch: string, choice: OverwriteMode | 'skip', only?: number): void {
      if (only === undefined) choices.set(batch, choice)
      for (const upload of uploads.values()) {
        if (upload.state !== 'conflict' || upload.batch !== batch) continue
        if (only !== undefined && upload.id !== only) continue
        if (choice === 'skip') setState(upload, 'skipped')
        else {
          upload.overwrite = choice
          wait(upload)
        }
      }
      work()
    },
    /** Gives up what has not ended. @returns those that were given up. */
    cancel(which: (upload: Upload) => boolean = () => true): Upload[] {
      const given = [...uploads.values()].filter(({ state }) => state !== 'done' && state !== 'skipped').filter(which)
      for (const upload of given) remove(upload)
      waiting = waiting.filter((id) => uploads.has(id))
      work()
      return given
    },
    /** Forgets what has ended. */
    clear(): void {
      for (const upload of uploads.values())
        if (upload.state === 'done' || upload.state === 'skipped' || upload.state === 'failed') remove(upload)
    },
  }
}
