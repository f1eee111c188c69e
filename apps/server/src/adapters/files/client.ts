/**
 * Talks to the files service of one server (`@wakestone/protocol/files`). What it says is a customer's word: answers pass
 * the schemas of the protocol, lists are looked through line by line, and of bytes only a few headers count.
 */
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { z } from 'zod'
import { DomainError } from '@wakestone/contract/errors'
import type { ScanLine } from '@wakestone/contract/servers/worlds'
import { treeDepth } from '@wakestone/protocol/file-values'
import * as protocol from '@wakestone/protocol/files'
import type { WorldEdition } from '@wakestone/protocol/world-values'
import * as worlds from '@wakestone/protocol/worlds'
import type { LevelChange } from '@wakestone/minecraft/worlds/level-change'
import type { FilesEndpoint } from '#src/adapters/clusters/cluster.ts'
import type { FilesSigner } from '#src/adapters/supervisor/tokens.ts'
import { readHead, type BytesHead } from './bytes.ts'
import { FilesError } from './errors.ts'
import { readArchiveLine, readFileLine, readSearchLine } from './line-readers.ts'
import { passLines } from './lines.ts'
import { type Ask, createTransport, readBody } from './transport.ts'

/** Bytes as they come, with what is known of them. Whoever has them reads or destroys them. */
export type FileBytes = { head: BytesHead; body: IncomingMessage }
type Overwrite = protocol.UploadRequest['overwrite']
type Search = { path: string; name?: string | undefined; content?: string | undefined } & Record<
  'case' | 'regex' | 'hidden',
  string
>

export type FilesClient = ReturnType<typeof createFilesClient>

const searchSilence = 10 * 60_000
/** All worlds are read and measured before anything is told. */
const worldPatience = 60_000
const jobSilence = 24 * 3_600_000
const revisionText = 1024 * 1024
const smallText = 4 * 1024 * 1024

export function createFilesClient({
  serverId,
  locate,
  sign,
  closing,
}: {
  serverId: string
  /** Brings the service up where it is not. `again`: where it was told to be, nobody was. */
  locate: (again: boolean) => Promise<FilesEndpoint>
  sign: FilesSigner
  /** Ends every request. */
  closing: AbortSignal
}) {
  const { request, call } = createTransport({
    locate,
    authorization: () => `Bearer ${sign(serverId, 'control')}`,
    closing,
  })

  async function ask<Schema extends z.ZodType>(schema: Schema, what: Ask): Promise<z.output<Schema>> {
    const told = await call(what)
    if (isTooDeep(told)) throw new FilesError('unreadable', `${what.path.split('?')[0]}: too deep`)
    const read = schema.safeParse(told)
    if (read.success) return read.data
    const [issue] = read.error.issues
    throw new FilesError('unreadable', `${what.path.split('?')[0]}: ${issue?.path.join('.')} ${issue?.code}`)
  }
  const post = <Schema extends z.ZodType>(schema: Schema, path: string, json: unknown) =>
    ask(schema, { method: 'POST', path, json })
  const command = async (method: 'POST' | 'DELETE', path: string, json?: unknown) =>
    void (await call({ method, path, json }))
  async function bytes(what: Ask): Promise<FileBytes> {
    const isRead = what.method === undefined || what.method === 'GET'
    const body = await request({ ...what, ...(isRead && { statuses: [200, 206] }) }) // passed on as they are
    return { head: readHead(body), body }
  }

  return {
    list: async (path: string, { hidden, signal }: { hidden: boolean; signal?: AbortSignal }) =>
      passLines(await request({ path: `/v1/list?${query({ path, hidden: hidden ? '1' : '0' })}`, signal }), {
        readLine: readFileLine,
      }),
    search: async (asked: Search, signal?: AbortSignal) =>
      passLines(await request({ path: `/v1/search?${query(asked)}`, signal }), {
        readLine: readSearchLine,
        silenceMilliseconds: searchSilence,
      }),
    archiveEntries: async (path: string, signal?: AbortSignal) =>
      passLines(await request({ path: `/v1/archive/entries?${query({ path })}`, signal }), {
        readLine: readArchiveLine,
      }),
    stat: (path: string) => ask(protocol.fileStatSchema, { path: `/v1/stat?${query({ path })}` }),
    tree: ({ path, chunk, table, from }: { path: string; chunk?: string; table?: string; from: number }) =>
      ask(protocol.treeSchema, { path: `/v1/tree?${query({ path, chunk, table, from: String(from) })}` }),
    statfs: () => ask(protocol.diskStatsSchema, { path: '/v1/statfs' }),

    /** The content of a file, or a part of it: `range` as HTTP has it. */
    read: (
      path: string,
      {
        method = 'GET',
        range,
        ifRange,
        signal,
      }: { method?: 'GET' | 'HEAD'; range?: string; ifRange?: string; signal?: AbortSignal } = {},
    ) =>
      bytes({
        method,
        path: `/v1/read?${query({ path })}`,
        straight: method === 'GET',
        headers: { ...(range !== undefined && { range }), ...(ifRange !== undefined && { 'if-range': ifRange }) },
        signal,
      }),
    /** @param asked either the revision that it must still have, or `new`: that there is none yet */
    async write(
      path: string,
      content: { bytes: Readable; length?: number },
      asked: { revision: string } | 'new' | undefined,
      signal?: AbortSignal,
    ) {
      const response = await request({
        method: 'PUT',
        path: `/v1/write?${query({ path })}`,
        headers: {
          'content-type': 'application/octet-stream',
          ...(content.length !== undefined && { 'content-length': String(content.length) }),
          ...(asked === 'new' ? { 'if-none-match': '*' } : asked && { 'if-match': `"${asked.revision}"` }),
        },
        bytes: content.bytes,
        signal,
      })
      return readAs(protocol.writtenFileSchema, response)
    },
    archiveEntry: (path: string, entry: string, signal?: AbortSignal) =>
      bytes({ path: `/v1/archive/entry?${query({ path, entry })}`, signal }),
    /** An archive that is made while it goes: its first bytes may take a while. */
    archive: (paths: readonly string[], format: string, signal?: AbortSignal) => {
      const asked = new URLSearchParams({ format })
      for (const path of paths) asked.append('path', path)
      return bytes({ path: `/v1/archive?${asked}`, signal })
    },
    follow: (path: string, from: number | undefined, signal?: AbortSignal) =>
      bytes({ path: `/v1/follow?${query({ path, from: from === undefined ? undefined : String(from) })}`, signal }),

    createUpload: (upload: protocol.UploadRequest) => post(protocol.uploadSchema, '/v1/uploads', upload),
    uploadHead: async (id: string) => {
      const { head, body } = await bytes({ method: 'HEAD', path: uploadPath(id) })
      body.destroy()
      return head
    },
    /** The next bytes of an upload. @returns how far it has come; `path` is where the file is, once it is complete. */
    async append(
      id: string,
      part: { bytes: Readable; offset: number; length?: number; checksum?: string },
      signal?: AbortSignal,
    ): Promise<BytesHead> {
      const { head, body } = await bytes({
        method: 'PATCH',
        path: uploadPath(id),
        headers: {
          'content-type': 'application/offset+octet-stream',
          'upload-offset': String(part.offset),
          ...(part.length !== undefined && { 'content-length': String(part.length) }),
          ...(part.checksum !== undefined && { 'upload-checksum': part.checksum }),
        },
        bytes: part.bytes,
        signal,
        patience: 120_000, // the last one is hashed, written and put into its place
      })
      body.resume()
      return head
    },
    cancelUpload: (id: string) => command('DELETE', uploadPath(id)),

    move: (from: readonly string[], to: string, overwrite: Overwrite) =>
      post(protocol.allPlacedSchema, '/v1/move', { from, to, overwrite }),
    rename: (from: string, to: string, overwrite: Overwrite) =>
      post(protocol.placedSchema, '/v1/rename', { from, to, overwrite }),
    makeFolder: (path: string) => command('POST', '/v1/folder', { path }),
    delete: (paths: readonly string[]) => command('POST', '/v1/delete', { paths }),

    trash: () => ask(protocol.trashSchema, { path: '/v1/trash' }),
    trashGone: () => ask(protocol.goneSchema, { path: '/v1/trash/gone' }),
    restoreTrash: (ids: readonly string[], overwrite: Overwrite, within?: readonly string[]) =>
      post(protocol.allPlacedSchema, '/v1/trash/restore', { ids, overwrite, ...(within !== undefined && { within }) }),
    removeTrash: (ids: readonly string[] | null) => command('POST', '/v1/trash/remove', { ids }),

    revisions: (path: string) => ask(protocol.revisionsSchema, { path: `/v1/revisions?${query({ path })}` }),
    async revisionText(path: string, id: string): Promise<string> {
      return readBody(await request({ path: `/v1/revision?${query({ path, id })}` }), revisionText)
    },

    players: (edition: 'java' | 'bedrock') =>
      ask(protocol.playersSchema, { path: `/v1/players?${query({ edition })}` }),
    player: (id: string) => ask(protocol.playerFileSchema, { path: `/v1/player?${query({ id })}` }),
    /** @param changes those of `changePlayerData` */
    changePlayer: (id: string, revision: string, changes: object) =>
      post(protocol.writtenFileSchema, '/v1/player', { id, revision, changes }),
    forgetPlayer: (id: string | null, names: readonly string[]) => command('POST', '/v1/player/forget', { id, names }),
    /** A small text with its revision; undefined where there is none. */
    async text(path: string): Promise<{ text: string; revision: string | undefined } | undefined> {
      try {
        const { head, body } = await bytes({ path: `/v1/read?${query({ path })}` })
        return { text: await readBody(body, smallText), revision: head.revision }
      } catch (error) {
        if (error instanceof DomainError && error.code === 'file_does_not_exist') return undefined
        throw error
      }
    },
    worlds: (edition: WorldEdition) =>
      ask(worlds.worldListSchema, { path: `/v1/worlds?${query({ edition })}`, patience: worldPatience }),
    editWorld: (folder: string, change: LevelChange) =>
      ask(worlds.changedPathsSchema, {
        method: 'POST',
        path: '/v1/worlds/edit',
        json: { folder, change },
        patience: worldPatience,
      }),
    /** Into the trash, as far as they are there. */
    removeWorlds: (paths: readonly string[]) => command('POST', '/v1/worlds/remove', { paths }),
    scanWorld: async (folders: readonly string[], ticks: number, signal?: AbortSignal) => {
      const asked = new URLSearchParams({ ticks: String(ticks) })
      for (const folder of folders) asked.append('folder', folder)
      return passLines(await request({ path: `/v1/worlds/scan?${asked}`, signal }), {
        readLine(value): ScanLine | undefined {
          const { data } = worlds.scanLineSchema.safeParse(value)
          if (data === undefined) return undefined
          const { region } = data
          const told: ScanLine[6] = region && [region.folder, region.x, region.z, region.chunks, region.unused]
          return [data.done, data.total, data.chunks, data.unused, data.bytes, data.damaged, told]
        },
        silenceMilliseconds: searchSilence,
      })
    },

    createJob: (job: protocol.JobRequest) => post(protocol.jobSchema, '/v1/jobs', job),
    jobs: () => ask(protocol.jobsSchema, { path: '/v1/jobs' }),
    job: (id: string) => ask(protocol.jobSchema, { path: jobPath(id) }),
    cancelJob: (id: string) => command('DELETE', jobPath(id)),
    /** @param show how a job is shown */
    followJob: async (id: string, show: (job: protocol.Job) => object, signal?: AbortSignal) =>
      passLines(await request({ path: `${jobPath(id)}/stream`, signal }), {
        readLine(value) {
          const { data } = protocol.jobSchema.safeParse(value)
          return data && show(data)
        },
        silenceMilliseconds: jobSilence,
      }),
  }
}

/** A node lies in a list in another node. */
const mostDepth = 2 * treeDepth + 8

/** Whether what was told lies deeper in itself than our stack may go. */
function isTooDeep(told: unknown): boolean {
  let level = [told]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > mostDepth) return true
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []))
  }
  return false
}

async function readAs<Schema extends z.ZodType>(schema: Schema, response: IncomingMessage): Promise<z.output<Schema>> {
  const text = await readBody(response, 4096)
  try {
    return schema.parse(JSON.parse(text))
  } catch (error) {
    throw new FilesError('unreadable', 'no answer to what was written', { cause: error })
  }
}

const query = (values: Record<string, string | undefined>) =>
  new URLSearchParams(Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined))
const uploadPath = (id: string) => `/v1/uploads/${encodeURIComponent(id)}`
const jobPath = (id: string) => `/v1/jobs/${encodeURIComponent(id)}`
