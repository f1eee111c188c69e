/**
 * A file of the internet comes to a server, as an operation: it goes on when its worker dies, waits while others need the
 * files to themselves, and ends with the right of who asked for it.
 */
import { Transform, type TransformCallback } from 'node:stream'
import type { z } from 'zod'
import { canManageServer } from '@wakestone/contract/capabilities'
import { DomainError } from '@wakestone/contract/errors'
import type { fetchFileBody } from '@wakestone/contract/servers/files'
import { checkTarget, download, type Download, NoDownload } from '#src/adapters/outbound/download.ts'
import { ForbiddenTarget, type MayCall } from '#src/adapters/outbound/guarded-lookup.ts'
import { isPublicAddress } from '#src/adapters/outbound/public-address.ts'
import type { Context } from '#src/context.ts'
import { inTransaction } from '#src/db/client.ts'
import { recordServerEvent } from '#src/features/ground/events/service.ts'
import { beginOperation, defineOperation, type Step } from '#src/features/servers/operations/service.ts'
import { findServerResource, type ServerRow } from '#src/features/servers/servers/service.ts'
import { filesOf, findRefusedWrite, requireWritableFiles } from './access.ts'
import { countOpen, findHeld, writeDiskUse } from './repo.ts'

type Input = z.output<typeof fetchFileBody> & { userId: string }
type Notes = {
  /** The upload at the files service that it goes into, and of which file. */
  uploadId: string
  size: number
  etag: string | null
  /** Bytes of one whose size is not said. */
  counted: number
  /** Where the file is. */
  path: string
}
type FetchStep = Step<Input, Notes>

const mostAtOnce = 3
const longestMilliseconds = 6 * 3_600_000
const lookMilliseconds = 2_000
/** Nothing comes, although we could take more. */
const stillMilliseconds = 60_000

/** @returns id of the operation. @throws DomainError for what cannot be fetched, as far as that is known at once */
export async function beginFetch(
  context: Context,
  { server, userId }: { server: ServerRow; userId: string },
  asked: z.output<typeof fetchFileBody>,
): Promise<string> {
  const url = target(asked.url, context.settings)
  if (asked.overwrite === 'fail') await requireFree(context, server, asked.path)
  return inTransaction(context.db, async (trx) => {
    const operation = await beginOperation(context, trx, {
      serverId: server.id,
      kind: 'file_fetch',
      exclusive: false,
      input: { ...asked, userId } satisfies Input,
      about: { path: asked.path, host: url.host },
      userId,
    })
    if ((await countOpen(trx, server.id, 'file_fetch')) > mostAtOnce)
      throw new DomainError('too_many_requests', { resource: 'file', limit: mostAtOnce })
    return operation
  })
}

/** For development and tests also addresses of this machine. */
const callable = ({ ALLOW_PRIVATE_TARGETS }: Pick<Context['settings'], 'ALLOW_PRIVATE_TARGETS'>): MayCall =>
  ALLOW_PRIVATE_TARGETS ? () => true : isPublicAddress

function target(url: string, settings: Context['settings']): URL {
  try {
    return checkTarget(url, callable(settings))
  } catch (error) {
    throw error instanceof ForbiddenTarget ? new DomainError('url_not_allowed', { resource: 'file' }) : error
  }
}

async function requireFree(context: Context, server: ServerRow, path: string): Promise<void> {
  try {
    await filesOf(context, server).stat(path)
  } catch (error) {
    if (error instanceof DomainError && error.code === 'file_does_not_exist') return
    throw error
  }
  throw new DomainError('resource_already_exists', { resource: 'file' })
}

export const fileFetch = defineOperation<'file_fetch', Input, Notes>('file_fetch', {
  exclusive: false,
  phases: { download: { weight: 1, run, undo } },
  async ended(trx, { operationId, serverId, userId, input, notes, outcome, error }) {
    if (outcome === 'cancelled') return
    const { origin, pathname } = new URL(input.url) // what follows may hold a secret
    await recordServerEvent(trx, serverId, {
      action: 'UPLOADED_FILES_FROM_URL',
      success: outcome === 'done',
      ...(error !== null && { error }),
      data: {
        ...(userId !== null && { executor: userId }),
        process_id: operationId,
        url: origin + pathname,
        path: notes.path ?? input.path,
        file_size: notes.size ?? 0,
      },
    })
  },
})

async function run(step: FetchStep): Promise<void> {
  if (step.notes.path !== undefined) return
  for (;;) {
    const server = await untilWritable(step)
    if (Date.now() - step.since.getTime() > longestMilliseconds)
      throw new DomainError('url_unreachable', { resource: 'file' })
    if ((await transfer(step, server)) === 'done') return
  }
}

async function undo({ deps, serverId, notes, input }: FetchStep): Promise<void> {
  if (notes.uploadId === undefined || notes.path !== undefined) return
  const server = await findServerResource(deps.db, serverId, input.userId)
  if (server === undefined) return
  await filesOf(deps, server)
    .cancelUpload(notes.uploadId)
    .catch((error: unknown) => {
      if (!(error instanceof DomainError)) throw error // it is gone
    })
}

/** The server, once nobody needs its files alone. @throws DomainError where who asked for it may no longer */
async function untilWritable({ deps, serverId, input, pause }: FetchStep): Promise<ServerRow> {
  for (;;) {
    const server = await findAllowed(deps, serverId, input.userId)
    if ((await findRefusedWrite(deps.db, serverId)) === undefined) {
      await requireWritableFiles(deps.db, server)
      return server
    }
    await pause(lookMilliseconds)
  }
}

async function findAllowed({ db }: FetchStep['deps'], serverId: string, userId: string): Promise<ServerRow> {
  const held = await findHeld(db, userId)
  const server = await findServerResource(db, serverId, userId)
  if (held === undefined || server === undefined || !canManageServer(held, server.capabilities))
    throw new DomainError('insufficient_capabilities', { resource: 'server' })
  return server
}

/** Fetches, from where it was left. @returns `stopped` where others need the files meanwhile */
async function transfer(step: FetchStep, server: ServerRow): Promise<'done' | 'stopped'> {
  const { deps, notes, signal, serverId } = step
  const files = filesOf(deps, server)
  const stopping = new AbortController()
  const ending = AbortSignal.any([signal, stopping.signal])
  const looking = setInterval(() => {
    void Promise.all([findRefusedWrite(deps.db, serverId), findAllowed(deps, serverId, step.input.userId)]).then(
      ([refusal]) => refusal !== undefined && stopping.abort('busy'),
      (error: unknown) => error instanceof DomainError && stopping.abort(error),
    )
  }, lookMilliseconds)
  let came: Download | undefined
  try {
    const from = await findOffset(step, files)
    came = await begin(step, from, ending)
    const most = deps.settings.FILE_FETCH_MIB * 1024 ** 2
    if (came.size === undefined && notes.counted === undefined) {
      await step.note({ counted: await countBytes(came, most) })
      return 'stopped' // comes once more, now that it is known how much it is
    }
    const size = sizeOf(came, notes.counted, most)
    if (notes.uploadId === undefined || came.offset === 0 || came.offset !== from?.offset) {
      if (notes.uploadId !== undefined) await undo(step)
      const { path, overwrite } = step.input
      const upload = await files.createUpload({ path, size, overwrite, fingerprint: step.operationId })
      await step.note({ uploadId: upload.id, size, etag: came.etag ?? null })
      if (upload.path !== null) return await finish(step, server, upload.path)
      if (upload.offset !== 0 || came.offset !== 0) throw new Error('begins anew')
    }
    const offset = came.offset
    const report = (done: number) => step.report((offset + done) / size, step.input.path)
    const bytes = came.body.pipe(meter(came, size - offset, report))
    const head = await files.append(notes.uploadId!, { bytes, offset, length: size - offset }, ending)
    if (head.uploadPath === undefined) throw new Error('not all of it came')
    return await finish(step, server, head.uploadPath)
  } catch (error) {
    if (stopping.signal.reason instanceof DomainError) throw stopping.signal.reason
    if (stopping.signal.aborted) return 'stopped'
    throw error
  } finally {
    clearInterval(looking)
    came?.body.destroy()
  }
}

async function finish(step: FetchStep, server: ServerRow, path: string): Promise<'done'> {
  await step.note({ path })
  const { used } = await filesOf(step.deps, server).statfs()
  await writeDiskUse(step.deps.db, step.serverId, used)
  return 'done'
}

/** How far it has come before, if it can go on there. */
async function findOffset({ notes }: FetchStep, files: ReturnType<typeof filesOf>) {
  if (notes.uploadId === undefined || notes.etag == null || notes.size === undefined) return undefined
  try {
    const { uploadOffset = 0 } = await files.uploadHead(notes.uploadId)
    return uploadOffset > 0 && uploadOffset < notes.size ? { offset: uploadOffset, etag: notes.etag } : undefined
  } catch (error) {
    if (error instanceof DomainError) return undefined
    throw error
  }
}

async function begin(
  { deps, input, notes }: FetchStep,
  from: { offset: number; etag: string } | undefined,
  signal: AbortSignal,
): Promise<Download> {
  try {
    return await download(input.url, { from, mayCall: callable(deps.settings), signal })
  } catch (error) {
    if (error instanceof ForbiddenTarget) throw new DomainError('url_not_allowed', { resource: 'file' })
    const mayPass = error instanceof NoDownload && (error.status >= 500 || error.status === 429 || error.status === 0)
    if (!(error instanceof NoDownload) || signal.aborted || (mayPass && notes.uploadId !== undefined)) throw error
    throw new DomainError('url_unreachable', { resource: 'file', ...(error.status > 0 && { status: error.status }) })
  }
}

function sizeOf({ size, body }: Download, counted: number | undefined, most: number): number {
  const bytes = size ?? counted ?? 0
  if (bytes <= most) return bytes
  body.destroy()
  throw new DomainError('file_is_too_large', { resource: 'file', limit: most })
}

/** Of a file whose size nobody says, as of archives that are made while they go: it is read to its end. */
async function countBytes(came: Download, most: number): Promise<number> {
  let size = 0
  for await (const chunk of came.body.pipe(meter(came, Infinity, () => undefined)) as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > most) throw new DomainError('file_is_too_large', { resource: 'file', limit: most })
  }
  return size
}

/** Passes bytes on, says how many have come, sees that they are as many as they should be, and ends what has stopped. */
function meter({ body }: Download, size: number, report: (done: number) => void): Transform {
  let done = 0
  let timer = setTimeout(stop, stillMilliseconds)
  function stop() {
    body.destroy(new Error('nothing comes any more'))
  }
  const bytes = new Transform({
    transform(chunk: Buffer, _encoding, next: TransformCallback) {
      done += chunk.length
      if (done > size) return next(new Error('more came than it said'))
      report(done)
      clearTimeout(timer)
      timer = setTimeout(stop, stillMilliseconds)
      next(null, chunk)
    },
    flush: (next) => next(done === size || size === Infinity ? null : new Error('not all of it came')),
  })
  bytes.on('close', () => clearTimeout(timer))
  body.on('error', (error) => bytes.destroy(error))
  return bytes
}
