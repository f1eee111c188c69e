/** Sends one file by tus. A ticket leads to the upload that is there, if it was begun before, and can be had anew. */
import { ApiError } from '@wakestone/contract/client'
import { type ErrorCode, errorBodySchema } from '@wakestone/contract/errors'
import { fileLimits } from '@wakestone/contract/servers/file-values'
import type { Ticket } from '@wakestone/contract/servers/files'
import { createFileTicket, getFileStat } from '@wakestone/contract/servers/files-routes'
import { DefaultHttpStack, DetailedError, type HttpRequest, type HttpStack, Upload as TusUpload } from 'tus-js-client'
import { api } from '#app/api/client.ts'
import { markOf } from './fingerprint.ts'
import type { Send, SendOutcome, Upload } from './upload-queue.ts'

/** A ticket that ends in the middle, an offset that another tab has moved and a spoiled part are no reason to give up. */
const goesOn: ReadonlySet<ErrorCode> = new Set([
  'transfer_ended',
  'upload_not_found',
  'upload_offset_differs',
  'upload_checksum_differs',
])
const mostTickets = 5

/** @returns what a queue sends files of this server with. */
export const sendTo =
  (serverId: string): Send =>
  async (upload, onSent, signal) => {
    if (!(await isReadable(upload.file))) return { kind: 'failed', error: 'invalid_file' }
    for (let tickets = 1; ; tickets += 1) {
      try {
        const ticket = await api(createFileTicket, { params: { id: serverId }, body: await ticketOf(upload) })
        if (signal.aborted) return { kind: 'offline' }
        onSent(ticket.offset ?? 0)
        await sendBytes(ticket, { file: upload.file, onSent, signal })
        return { kind: 'done' }
      } catch (error) {
        const code = codeOf(error)
        if (code !== undefined && goesOn.has(code) && tickets < mostTickets) continue
        const outcome = outcomeOf(code)
        if (outcome.kind !== 'conflict') return outcome
        // What arrived just before a reload is there, though nobody was told.
        return (await isSame(serverId, upload)) ? { kind: 'done' } : outcome
      }
    }
  }

/** Gives up what has arrived of a file that is not sent any more. */
export async function forgetUpload(serverId: string, upload: Upload): Promise<void> {
  const ticket = await api(createFileTicket, { params: { id: serverId }, body: await ticketOf(upload) })
  await TusUpload.terminate(ticket.url)
}

const ticketOf = async ({ path, file, overwrite }: Upload) =>
  ({
    purpose: 'upload',
    path,
    size: file.size,
    mtime: file.lastModified,
    overwrite,
    ...(await markOf(file)),
  }) as const

/** Whether the file that is there is this one: size and time of the last change tell, as they do rsync. */
async function isSame(serverId: string, { path, file }: Upload): Promise<boolean> {
  try {
    const there = await api(getFileStat, { params: { id: serverId }, query: { path } })
    // Some file systems keep whole seconds, or two of them.
    return there.type === 'file' && there.size === file.size && Math.abs(there.mtime - file.lastModified) < 2000
  } catch {
    return false
  }
}

/** Whether it is still where it was: what was deleted or is a folder cannot be sent. */
async function isReadable(file: File): Promise<boolean> {
  try {
    await file.slice(0, 1).arrayBuffer()
    return true
  } catch {
    return false
  }
}

/**
 * A ticket tells how much has arrived, which tus would ask for first: for a folder of small files that question would be a
 * third of all requests.
 */
function stackKnowing(offset: number, size: number): HttpStack {
  const stack = new DefaultHttpStack({})
  const headers: Readonly<Record<string, string>> = { 'upload-offset': String(offset), 'upload-length': String(size) }
  return {
    getName: () => 'known-offset',
    createRequest(method, url) {
      const request = stack.createRequest(method, url)
      if (method === 'PATCH') return withChecksum(request)
      if (method !== 'HEAD') return request
      const answer = {
        getStatus: () => 200,
        getHeader: (name: string) => headers[name.toLowerCase()],
        getBody: () => '',
        getUnderlyingObject: () => null,
      }
      return Object.assign(request, { send: async () => answer })
    },
  }
}

/**
 * Each part says what it is to be, so that one which was spoiled on its way is refused and sent again. Browsers count sums
 * on secure pages only.
 */
function withChecksum(request: HttpRequest): HttpRequest {
  const send = request.send.bind(request)
  const abort = request.abort.bind(request)
  let isAborted = false
  return Object.assign(request, {
    async send(part: unknown) {
      if (part instanceof Blob && globalThis.isSecureContext) {
        const sum = new Uint8Array(await crypto.subtle.digest('SHA-256', await part.arrayBuffer()))
        // Nothing is sent yet that could be cut off.
        if (isAborted) throw new DOMException('paused', 'AbortError')
        request.setHeader('Upload-Checksum', `sha256 ${btoa(String.fromCharCode(...sum))}`)
      }
      return send(part as Parameters<typeof send>[0])
    },
    async abort() {
      isAborted = true
      await abort()
    },
  })
}

function sendBytes(
  { url, offset }: Pick<Ticket, 'url' | 'offset'>,
  { file, onSent, signal }: { file: File; onSent: (bytes: number) => void; signal: AbortSignal },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const upload = new TusUpload(file, {
      uploadUrl: url,
      httpStack: stackKnowing(offset ?? 0, file.size),
      chunkSize: fileLimits.chunkBytes,
      // The queue tries again, for all files at once; and the server knows what has arrived, so nothing is stored here.
      retryDelays: null,
      storeFingerprintForResuming: false,
      onProgress: onSent,
      onSuccess: () => resolve(),
      onError: reject,
    })
    signal.addEventListener('abort', () => {
      void upload.abort()
      reject(new DOMException('paused', 'AbortError'))
    })
    upload.start()
  })
}

/** What it was refused with; undefined without an answer. */
function codeOf(error: unknown): ErrorCode | undefined {
  if (error instanceof ApiError) return error.status >= 502 ? undefined : error.body.error
  if (!(error instanceof DetailedError) || error.originalResponse === null) return undefined
  const status = error.originalResponse.getStatus()
  if (status === 0 || status >= 502) return undefined
  const body = errorBodySchema.safeParse(readJson(error.originalResponse.getBody()))
  if (body.success) return body.data.error
  return status === 401 || status === 403 || status === 404 ? 'transfer_ended' : 'internal_error'
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function outcomeOf(code: ErrorCode | undefined): SendOutcome {
  // Asked too often is as good as no connection: it goes on a little later.
  if (code === undefined || code === 'too_many_requests' || code === 'service_unavailable') return { kind: 'offline' }
  return code === 'resource_already_exists' ? { kind: 'conflict' } : { kind: 'failed', error: code }
}
