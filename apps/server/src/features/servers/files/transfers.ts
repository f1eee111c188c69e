/** `/transfers/:ticket`: downloads, archives made while they go, and uploads by the tus protocol, passed on as they come. */
import type { Readable } from 'node:stream'
import { DomainError } from '@wakestone/contract/errors'
import * as transports from '@wakestone/contract/servers/files-transports'
import type { BytesHead } from '#src/adapters/files/bytes.ts'
import { actingAs } from '#src/features/ground/events/service.ts'
import { actingOf, type Api } from '#src/http/implement.ts'
import type { Held } from '#src/http/held-right.ts'
import { sendBytes } from '#src/http/send-bytes.ts'
import { type Exchange, implementTransport } from '#src/http/transports.ts'
import { filesOf, requireWritableFiles } from './access.ts'
import { type FileChange, noteFileChange } from './changes.ts'
import { askedRange, lengthOf, nameOf, passOver } from './content.ts'
import type { DiskUse } from './disk-use.ts'
import type { OpenFiles } from './open-files.ts'
import { endTicket, openTicket, type OpenTicket } from './tickets.ts'

const protocolVersion = { 'tus-resumable': '1.0.0', 'cache-control': 'no-store' }

/** @param api of a scope that leaves bodies as they come. */
export function registerTransfers(api: Api, { openFiles, diskUse }: { openFiles: OpenFiles; diskUse: DiskUse }): void {
  const { context } = api
  const hold = ({ user, server }: OpenTicket, writes: boolean) => openFiles.hold({ user, serverId: server.id, writes })
  const note = ({ user, server }: OpenTicket, change: Pick<FileChange, 'kind' | 'paths' | 'bytes'>) =>
    actingAs(actingOf(transports.fileContent, user, {}), () =>
      noteFileChange(context, { ...change, serverId: server.id, userId: user.userId }),
    )

  implementTransport(api, transports.download, async ({ params, request, reply }) => {
    const ticket = await openTicket(api, params.ticket)
    const { row, server } = ticket
    if (row.purpose === 'upload') throw new DomainError('transfer_ended', { resource: 'file' })
    const held = hold(ticket, false)
    try {
      const files = filesOf(context, server)
      const [path = ''] = row.paths
      const bytes =
        row.format === null
          ? await files.read(path, { ...askedRange(request), signal: held.signal })
          : await files.archive(row.paths, row.format, held.signal)
      if (isFirstPart(request)) await note(ticket, { kind: 'download', paths: row.paths })
      const name = row.format === null ? nameOf(path) : `${archiveName(row.paths, server.name)}.${row.format}`
      return sendBytes(reply, bytes, { name, hasRanges: row.format === null, held })
    } catch (error) {
      held.close()
      throw error
    }
  })

  implementTransport(api, transports.transferHead, async ({ params, request, reply }) => {
    const ticket = await openTicket(api, params.ticket)
    const { row, server } = ticket
    const files = filesOf(context, server)
    if (row.upload_id !== null) {
      const head = await files.uploadHead(row.upload_id)
      return tellOffset(reply, row.size ?? 0, head)
        .status(200)
        .send()
    }
    const held = hold(ticket, false)
    if (row.format !== null) {
      held.close()
      return reply.headers({ 'content-type': 'application/octet-stream' }).send()
    }
    try {
      const bytes = await files.read(row.paths[0] ?? '', {
        method: 'HEAD',
        ...askedRange(request),
        signal: held.signal,
      })
      return sendBytes(reply, bytes, { name: nameOf(row.paths[0] ?? ''), hasRanges: true, held })
    } catch (error) {
      held.close()
      throw error
    }
  })

  implementTransport(api, transports.createUpload, async ({ params, reply }) => {
    const { row, server } = await openUpload(api, params.ticket)
    await requireWritableFiles(context.db, server)
    const head = await filesOf(context, server).uploadHead(row.upload_id)
    return tellOffset(reply, row.size, head).header('location', `/transfers/${params.ticket}`).status(201).send()
  })

  implementTransport(api, transports.appendUpload, async ({ params, request, reply }) => {
    const ticket = await openUpload(api, params.ticket)
    const { row, server } = ticket
    await requireWritableFiles(context.db, server)
    const part = askedPart(request, row.size)
    const held = hold(ticket, true)
    const stop = endWhenBroken(request, held)
    try {
      const head = await filesOf(context, server).append(
        row.upload_id,
        { bytes: request.body as Readable, ...part },
        held.signal,
      )
      if (head.uploadPath !== undefined) {
        await note(ticket, { kind: 'upload', paths: [head.uploadPath], bytes: row.size })
        diskUse.hasChanged(server)
      }
      return tellOffset(reply, row.size, head).status(204).send()
    } catch (error) {
      passOver({ request, reply })
      diskUse.hasChanged(server) // perhaps it is full now
      throw held.signal.aborted ? held.signal.reason : error
    } finally {
      stop()
      held.close()
    }
  })

  implementTransport(api, transports.cancelUpload, async ({ params, reply }) => {
    const ticket = await openUpload(api, params.ticket)
    await filesOf(context, ticket.server).cancelUpload(ticket.row.upload_id)
    await endTicket(api, ticket)
    return reply.headers(protocolVersion).status(204).send()
  })
}

type UploadTicket = OpenTicket & { row: { upload_id: string; size: number } }

/** @throws DomainError for a ticket of something else, and for who sees the panel as another user. */
async function openUpload(api: Api, text: string): Promise<UploadTicket> {
  const ticket = await openTicket(api, text)
  const { upload_id, size } = ticket.row
  if (upload_id === null || size === null) throw new DomainError('transfer_ended', { resource: 'file' })
  if (ticket.user.actor !== undefined) throw new DomainError('access_denied')
  return { ...ticket, row: { ...ticket.row, upload_id, size } }
}

/** Bytes from `offset` on. @throws DomainError for what is no part of this upload. */
function askedPart(request: Exchange['request'], size: number) {
  const { headers } = request
  const offset = Number(/^\d{1,15}$/.exec(String(headers['upload-offset']))?.[0] ?? Number.NaN)
  const length = lengthOf(request)
  const checksum = headers['upload-checksum']
  if (headers['content-type'] !== 'application/offset+octet-stream')
    throw new DomainError('invalid_request', { 'Content-Type': 'application/offset+octet-stream' })
  if (!Number.isSafeInteger(offset) || offset > size)
    throw new DomainError('invalid_request', { 'Upload-Offset': `0 to ${size}` })
  if (length !== undefined && offset + length > size)
    throw new DomainError('invalid_request', { 'Content-Length': `at most ${size - offset}` })
  if (checksum !== undefined && !/^sha256 [A-Za-z0-9+/]{43}=$/.test(String(checksum)))
    throw new DomainError('invalid_request', { 'Upload-Checksum': 'sha256 and its base64' })
  return {
    offset,
    ...(length !== undefined && { length }),
    ...(checksum !== undefined && { checksum: String(checksum) }),
  }
}

/** What the box says of an upload is held to what it was begun with. */
function tellOffset(reply: Exchange['reply'], size: number, { uploadOffset }: BytesHead): Exchange['reply'] {
  const offset = Math.min(size, uploadOffset ?? 0)
  return reply.headers({ ...protocolVersion, 'upload-offset': offset, 'upload-length': size })
}

/** A browser that stops sending has its part ended, so that it can go on from there. */
const stillMilliseconds = 60_000

function endWhenBroken(request: Exchange['request'], held: Held): () => void {
  const { raw } = request
  const { socket } = raw
  let seen = -1
  let since = Date.now()
  const timer = setInterval(() => {
    if (socket.bytesRead !== seen) [seen, since] = [socket.bytesRead, Date.now()]
    if (!raw.readableEnded && !raw.isPaused() && Date.now() - since > stillMilliseconds) raw.destroy()
  }, 10_000)
  const end = () => raw.unpipe()
  held.signal.addEventListener('abort', end, { once: true })
  return () => {
    clearInterval(timer)
    held.signal.removeEventListener('abort', end)
  }
}

/** Whether it is the beginning of a download: a browser that goes on, or a player that jumps, is no new one. */
const isFirstPart = ({ headers: { range } }: Exchange['request']) => range === undefined || range.startsWith('bytes=0-')

/** Of one thing its name, of several the folder that they are in, else the server's. */
function archiveName(paths: readonly string[], serverName: string): string {
  const [first = ''] = paths
  const name = paths.length === 1 ? nameOf(first) : nameOf(first.split('/').slice(0, -1).join('/'))
  return name === '' ? serverName : name
}
