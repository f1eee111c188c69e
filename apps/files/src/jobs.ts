/**
 * Work that may take longer than a request. What a job makes it makes where nobody sees it (`.transfers/stage/<id>`), and
 * has it placed by renaming in the end: until then it can be cancelled and nothing is left of it, and so it is after a kill.
 * A job that changes things where they are (`resumes`) can be begun anew, and is after a kill.
 */
import { jobsAtOnce, jobsTold, jobsWaiting, type UnpackMode } from '@wakestone/protocol/file-values'
import type { Job, JobRequest } from '@wakestone/protocol/files'
import { asFileError, FileError } from './errors.ts'
import type { ServerResponse } from 'node:http'
import type { Lines } from './lines.ts'
import { readNames } from './list.ts'
import type { Log } from './log.ts'
import { dropFile, isId, makeId, openOwnPath, readNote, writeNote } from './own.ts'
import { doom, removeDoomed } from './remove.ts'
import type { Space } from './space.ts'
import type { Trash } from './trash.ts'
import type { Folder, Volume } from './volume.ts'

const STAGE = ['.transfers', 'stage']
const NOTES = ['.transfers', 'jobs']
/** Somebody who follows a job hears of it at most so often. */
const TELL_MS = 200
/** Everybody else gets a turn after so long. */
const TURN_MS = 12

export type Tools = { volume: Volume; space: Space; trash: Trash }
export type Context = Omit<Tools, 'trash'> & {
  id: string
  signal: AbortSignal
  /** How far it is: to be changed as it goes. */
  progress: Pick<Job, 'done' | 'total' | 'bytes' | 'bytesTotal' | 'item'>
  /** Lets others in now and then. @throws when it was cancelled */
  turn(): Promise<void>
  /** A folder of its own, and its path for `placeAll`. */
  openStage(): Folder
  stagePath: string
  /** Makes room for so many bytes, and keeps it for this job. */
  reserve(bytes: number): Promise<void>
  /** So many bytes were written. */
  wrote(bytes: number): void
}
/** Does the work; what it returns is done in the end, when it cannot be cancelled any more. */
export type Work = (context: Context) => Promise<(() => Promise<void>) | void>
export type Planned = { paths: string[]; to?: string; overwrite?: UnpackMode; resumes?: boolean; work: Work }

type Running = {
  job: Job
  request: JobRequest
  planned: Planned
  abort: AbortController
  isPlacing: boolean
  listeners: Set<() => void>
  told: number
}

export type Jobs = ReturnType<typeof createJobs>

export function createJobs(
  tools: Tools & { log: Log; plan: (request: JobRequest, tools: Tools) => Planned | Promise<Planned> },
) {
  const { volume, space, log, plan } = tools
  const jobs = new Map<string, Running>()
  const openNotes = () => openOwnPath(volume.top, NOTES)
  const isOver = ({ job }: Running) => job.state !== 'running' && job.state !== 'waiting'

  function tell(running: Running, isChange: boolean) {
    const now = performance.now()
    if (!isChange && now - running.told < TELL_MS) return
    running.told = now
    for (const listener of running.listeners) listener()
  }

  async function start(request: JobRequest): Promise<Job> {
    const open = [...jobs.values()].filter((running) => !isOver(running)).length
    if (open >= jobsAtOnce + jobsWaiting) throw new FileError('too_many_requests')
    const planned = await plan(request, tools)
    const id = makeId()
    {
      using notes = openNotes()
      writeNote(notes, id, { request, createdAt: new Date().toISOString(), resumes: planned.resumes === true })
    }
    return add(id, request, planned).job
  }

  function add(id: string, request: JobRequest, planned: Planned): Running {
    const job: Job = {
      id,
      kind: request.kind,
      state: 'waiting',
      done: 0,
      total: null,
      bytes: 0,
      bytesTotal: null,
      item: null,
      error: null,
      path: planned.paths[0] ?? '',
      paths: planned.paths.length,
      to: planned.to ?? null,
      createdAt: new Date().toISOString(),
      endedAt: null,
    }
    const running: Running = {
      job,
      request,
      planned,
      abort: new AbortController(),
      isPlacing: false,
      listeners: new Set(),
      told: 0,
    }
    jobs.set(id, running)
    startNext()
    return running
  }

  function startNext() {
    const at = [...jobs.values()].filter(({ job }) => job.state === 'running').length
    const next = [...jobs.values()].find(({ job }) => job.state === 'waiting')
    if (next && at < jobsAtOnce) void run(next)
  }

  async function run(running: Running): Promise<void> {
    const { job, planned, abort } = running
    const { signal } = abort
    const { id } = job
    job.state = 'running'
    tell(running, true)
    let reserved = 0
    let hasStage = false
    let turn = performance.now()
    const context: Context = {
      volume,
      space,
      id,
      signal,
      progress: job,
      stagePath: [...STAGE, id].join('/'),
      openStage() {
        hasStage = true
        return openOwnPath(volume.top, [...STAGE, id])
      },
      async turn() {
        signal.throwIfAborted()
        if (performance.now() - turn < TURN_MS) return
        tell(running, false)
        await new Promise((done) => setImmediate(done))
        turn = performance.now()
        signal.throwIfAborted()
      },
      async reserve(bytes) {
        await space.require(bytes)
        reserved += bytes
        space.reserve(id, reserved)
      },
      wrote(bytes) {
        space.add(bytes)
        reserved = Math.max(0, reserved - bytes)
        space.reserve(id, reserved)
      },
    }
    let state: Job['state'] = 'done'
    try {
      const place = await planned.work(context)
      signal.throwIfAborted()
      running.isPlacing = true
      await place?.()
    } catch (error) {
      const known = asFileError(error)
      if (!known && !signal.aborted) log('error', 'job failed', { error: error as Error, kind: job.kind })
      state = signal.aborted && !running.isPlacing ? 'cancelled' : 'failed'
      if (known?.code === 'resource_already_exists') job.request = running.request
      if (state === 'failed')
        job.error = { code: known?.code ?? 'internal_error', ...(known?.fields && { fields: known.fields }) }
    }
    space.reserve(id, 0)
    if (hasStage) await removeStage(id).catch((error: Error) => log('error', 'cannot clear up', { error }))
    using notes = openNotes()
    dropFile(notes, id)
    job.state = state
    job.item = null
    job.endedAt = new Date().toISOString()
    tell(running, true)
    const over = [...jobs.values()].filter(isOver)
    for (const old of over.slice(0, -jobsTold)) jobs.delete(old.job.id)
    startNext()
  }

  async function removeStage(id: string): Promise<void> {
    using stage = openOwnPath(volume.top, STAGE)
    await removeDoomed(volume, doom(volume, stage, id))
  }

  function get(id: string): Running {
    const running = jobs.get(id)
    if (!running) throw new FileError('file_job_not_found')
    return running
  }

  return {
    start,
    list: (): Job[] => [...jobs.values()].map(({ job }) => job).reverse(),
    get: (id: string): Job => get(id).job,
    /** Calls back whenever it has changed, until the returned function is called. */
    follow(id: string, listener: () => void): () => void {
      const { listeners } = get(id)
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    isOver: (id: string) => isOver(get(id)),
    cancel(id: string): void {
      const running = get(id)
      if (isOver(running) || running.isPlacing) return
      running.abort.abort()
      if (running.job.state !== 'waiting') return
      running.job.state = 'cancelled'
      running.job.endedAt = new Date().toISOString()
      using notes = openNotes()
      dropFile(notes, id)
      tell(running, true)
    },
    isBusy: () => [...jobs.values()].some((running) => !isOver(running)),
    /** What an earlier service was at is begun anew where it may be; of the rest nothing is left. */
    async resume(): Promise<void> {
      const ids: string[] = []
      {
        using notes = openNotes()
        for await (const names of readNames(notes)) for (const name of names) ids.push(String(name))
      }
      for (const id of ids) {
        using notes = openNotes()
        const note = isId(id) ? readNote(notes, id) : undefined
        if (note?.['resumes'] === true) {
          const request = note['request'] as JobRequest
          const planned = await Promise.resolve()
            .then(() => plan(request, tools))
            .catch(() => undefined)
          if (planned?.resumes) {
            add(id, request, planned)
            continue
          }
        }
        dropFile(notes, id)
      }
    },
    /** Cancels all, and waits until nothing is left of them. */
    async close(): Promise<void> {
      const open = [...jobs.values()].filter((running) => !isOver(running))
      for (const { job } of open) this.cancel(job.id)
      const overs = open.map((running) => {
        if (isOver(running)) return
        return new Promise<void>((done) => running.listeners.add(() => isOver(running) && done()))
      })
      await Promise.all(overs)
    },
  }
}

/** A job as it goes, until it is over or nobody listens. */
export async function followJob(
  jobs: Jobs,
  id: string,
  { lines, response }: { lines: Lines; response: ServerResponse },
): Promise<undefined> {
  await new Promise<void>((done) => {
    const tell = () => {
      lines.add(jobs.get(id))
      lines.flush()
      if (jobs.isOver(id)) done()
    }
    const end = jobs.follow(id, tell)
    response.on('close', () => {
      end()
      done()
    })
    tell()
  })
  return undefined
}
