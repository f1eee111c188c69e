/** The content of files, as it goes by addresses of the API. */
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { DomainError } from '@wakestone/contract/errors'
import { fileLimits } from '@wakestone/contract/servers/file-values'
import * as transports from '@wakestone/contract/servers/files-transports'
import type { Api } from '#src/http/implement.ts'
import { sendBytes } from '#src/http/send-bytes.ts'
import { type Exchange, implementTransport } from '#src/http/transports.ts'
import { findServerResource, type ServerResource } from '#src/features/servers/servers/service.ts'
import { filesOf, requireWritableFiles } from './access.ts'
import { noteFileChange } from './changes.ts'
import type { OpenFiles } from './open-files.ts'
import type { DiskUse } from './disk-use.ts'

/** @param api of a scope that leaves bodies as they come. */
export function registerContent(api: Api, { openFiles, diskUse }: { openFiles: OpenFiles; diskUse: DiskUse }): void {
  const { context } = api

  implementTransport(api, transports.fileContent, async ({ user, params, query, request, reply }) => {
    const server = await find(api, params.id, user.userId)
    const held = openFiles.hold({ user, serverId: server.id, writes: false })
    try {
      const bytes = await filesOf(context, server).read(query.path, {
        method: request.method === 'HEAD' ? 'HEAD' : 'GET',
        ...askedRange(request, query),
        signal: held.signal,
      })
      return sendBytes(reply, bytes, { name: nameOf(query.path), hasRanges: true, held })
    } catch (error) {
      held.close()
      throw error
    }
  })

  implementTransport(api, transports.writeFileContent, async ({ user, params, query, request, reply }) => {
    const server = await find(api, params.id, user.userId)
    await requireWritableFiles(context.db, server)
    const length = lengthOf(request)
    if (length !== undefined && length > fileLimits.textBytes)
      throw new DomainError('file_is_too_large', { resource: 'file', limit: fileLimits.textBytes })
    const held = openFiles.hold({ user, serverId: server.id, writes: true })
    try {
      const content = { bytes: request.body as Readable, ...(length !== undefined && { length }) }
      const written = await filesOf(context, server).write(query.path, content, askedRevision(request), held.signal)
      await noteFileChange(context, { serverId: server.id, kind: 'save', userId: user.userId, paths: [query.path] })
      diskUse.hasChanged(server)
      return reply.send(transports.writeFileContent.answer.parse(written))
    } catch (error) {
      passOver({ request, reply })
      throw held.signal.aborted ? held.signal.reason : error
    } finally {
      held.close()
    }
  })

  implementTransport(api, transports.followFile, async ({ user, params, query, reply }) => {
    const server = await find(api, params.id, user.userId)
    const held = openFiles.hold({ user, serverId: server.id, writes: false })
    try {
      const bytes = await filesOf(context, server).follow(query.path, query.from, held.signal)
      const type = 'text/plain; charset=utf-8'
      return sendBytes(reply, bytes, { name: nameOf(query.path), type, isEndless: true, held })
    } catch (error) {
      held.close()
      throw error
    }
  })

  implementTransport(api, transports.archiveEntry, async ({ user, params, query, reply }) => {
    const server = await find(api, params.id, user.userId)
    const held = openFiles.hold({ user, serverId: server.id, writes: false })
    try {
      const bytes = await filesOf(context, server).archiveEntry(query.path, query.entry, held.signal)
      return sendBytes(reply, bytes, { name: nameOf(query.entry), held })
    } catch (error) {
      held.close()
      throw error
    }
  })
}

/** It was checked that the user may; it may have gone since. */
async function find({ context }: Api, serverId: string, userId: string): Promise<ServerResource> {
  const server = await findServerResource(context.db, serverId, userId)
  if (server === undefined) throw new DomainError('server_id_not_found', { resource: 'server' })
  return server
}

type Headed = { headers: IncomingHttpHeaders }

export const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1)

/** What comes of a body after it was refused is read away up to here, so that the refusal is heard; more is hung up on. */
const passedOverBytes = 32 * 1024 * 1024

/** Has the rest of a body that nobody wants any more read away. */
export function passOver({ request, reply }: Exchange): void {
  if ((lengthOf(request) ?? Infinity) > passedOverBytes) void reply.header('connection', 'close')
  request.raw.unpipe()
  request.raw.resume()
}

/** A length that the request says; undefined where it says none. */
export function lengthOf({ headers }: Headed): number | undefined {
  const text = headers['content-length']
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}

/** One range of bytes, as HTTP has it; others ask for the whole. */
export function askedRange(
  { headers }: Headed,
  { startByte, endByte }: { startByte?: number | undefined; endByte?: number | undefined } = {},
): { range?: string; ifRange?: string } {
  if (startByte !== undefined || endByte !== undefined) return { range: `bytes=${startByte ?? 0}-${endByte ?? ''}` }
  const { range } = headers
  if (range === undefined || !/^bytes=(\d{1,15}-\d{0,15}|-\d{1,15})$/.test(range)) return {}
  const ifRange = headers['if-range']
  if (ifRange === undefined) return { range }
  return typeof ifRange === 'string' && /^"[\w.-]{1,100}"$/.test(ifRange) ? { range, ifRange } : {}
}

/** The revision that a file must still have, or that there must be none. */
function askedRevision({ headers }: Headed): { revision: string } | 'new' | undefined {
  if (headers['if-none-match'] === '*') return 'new'
  const match = headers['if-match']
  if (match === undefined || match === '*') return undefined
  const revision = /^"([\w.-]{1,100})"$/.exec(match)?.[1]
  if (revision === undefined) throw new DomainError('invalid_request', { 'If-Match': 'a revision in quotes' })
  return { revision }
}
