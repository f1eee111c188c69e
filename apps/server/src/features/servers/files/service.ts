/** What is done with the files of a server, and noted of it. */
import { DomainError } from '@wakestone/contract/errors'
import type { FileTree, fileTreeQuery } from '@wakestone/contract/servers/file-tree'
import type { OverwriteMode } from '@wakestone/contract/servers/file-values'
import type { FileJob, FileJobBody, FileStat, logQuery, logReadSchema, Trash } from '@wakestone/contract/servers/files'
import type { z } from 'zod'
import { FilesError } from '#src/adapters/files/errors.ts'
import type { Context } from '#src/context.ts'
import { inTransaction } from '#src/db/client.ts'
import { recordServerEvent } from '#src/features/ground/events/service.ts'
import { requireWithinLimit } from '#src/features/ground/limits/service.ts'
import type { ServerRow } from '#src/features/servers/servers/service.ts'
import { filesOf, requireWritableFiles } from './access.ts'
import { type FileChangeKind, noteFileChange } from './changes.ts'
import { describeJob, describeTrash, describeTree } from './describe.ts'
import type { DiskUse } from './disk-use.ts'
import { tellFilesChanged } from './repo.ts'

export { filesOf, requireFiles, requireWritableFiles } from './access.ts'
export { noteFileChange } from './changes.ts'
export { fileFetch } from './fetch.ts'
export { createTicket } from './tickets.ts'

type Deps = Pick<Context, 'db' | 'fleet' | 'settings' | 'logger'>
/** On which server, and who does it. */
export type On = { server: ServerRow; userId: string }

/** @throws DomainError when they may not be changed now, or somebody changes too much of them. */
async function toWrite({ db, fleet, settings }: Deps, { server, userId }: On) {
  await requireWritableFiles(db, server)
  await requireWithinLimit({ db, settings }, 'files', { userId })
  return filesOf({ fleet }, server)
}

export async function statFile(deps: Deps, server: ServerRow, path: string): Promise<FileStat> {
  const { takes: _, ...stat } = await filesOf(deps, server).stat(path)
  return stat
}

/** @throws DomainError `invalid_file` for what is no such file, or does harm to who reads it */
export async function readTree(
  deps: Deps,
  server: ServerRow,
  { path, chunk, table, from }: z.output<typeof fileTreeQuery>,
): Promise<FileTree> {
  const part = { ...(chunk !== undefined && { chunk }), ...(table !== undefined && { table }) }
  return describeTree(await filesOf(deps, server).tree({ path, from, ...part }))
}

/** A part of a log as text; the letters at its edges may be cut. */
export async function readLog(
  deps: Deps,
  server: ServerRow,
  { path, offset, length }: z.output<typeof logQuery>,
): Promise<z.output<typeof logReadSchema>> {
  const files = filesOf(deps, server)
  const { size, type } = await files.stat(path)
  if (type === 'folder' || type === 'other') throw new DomainError('file_has_other_type', { resource: 'file' })
  const from = Math.min(size, offset < 0 ? Math.max(0, size + offset) : offset)
  const end = Math.min(size, from + length)
  if (from === end) return { offset: from, length: 0, totalBytes: size, data: '' }
  const { body } = await files.read(path, { range: `bytes=${from}-${end - 1}` })
  const data = await readMost(body, end - from)
  return { offset: from, length: data.length, totalBytes: size, data: data.toString() }
}

async function readMost(body: AsyncIterable<Buffer> & { destroy(): unknown }, most: number): Promise<Buffer> {
  const parts: Buffer[] = []
  let left = most
  const timer = setTimeout(() => body.destroy(), 15_000)
  try {
    for await (const part of body) {
      parts.push(part.subarray(0, left))
      left -= part.length
      if (left <= 0) break
    }
  } catch (error) {
    throw new FilesError('unreached', 'a log broke off', { cause: error })
  } finally {
    clearTimeout(timer)
    body.destroy()
  }
  return Buffer.concat(parts)
}

export function createFileWork(deps: Deps, diskUse: DiskUse) {
  const note = ({ server, userId }: On, kind: FileChangeKind, paths: readonly string[], to?: string) =>
    noteFileChange(deps, { serverId: server.id, userId, kind, paths, ...(to !== undefined && { to }) })

  return {
    async move(on: On, { from, to, overwrite }: { from: string[]; to: string; overwrite: OverwriteMode }) {
      const moved = await (await toWrite(deps, on)).move(from, to, overwrite)
      await note(on, 'move', from, to)
      return moved
    },
    async rename(on: On, { from, to, overwrite }: { from: string; to: string; overwrite: OverwriteMode }) {
      const moved = await (await toWrite(deps, on)).rename(from, to, overwrite)
      await note(on, 'move', [from], to)
      return moved
    },
    async makeFolder(on: On, path: string) {
      await (await toWrite(deps, on)).makeFolder(path)
      await note(on, 'folder', [path])
    },
    async moveToTrash(on: On, paths: string[]) {
      await (await toWrite(deps, on)).delete(paths)
      await note(on, 'trash', paths)
    },
    async listTrash(server: ServerRow): Promise<Trash> {
      const { entries, truncated } = await filesOf(deps, server).trash()
      return { entries: entries.map(describeTrash), truncated }
    },
    async restoreTrash(
      on: On,
      { ids, within, overwrite }: { ids: string[]; within?: string[] | undefined; overwrite: OverwriteMode },
    ) {
      const { paths } = await (await toWrite(deps, on)).restoreTrash(ids, overwrite, within)
      await note(on, 'restore', paths)
      return { paths }
    },
    async emptyTrash(on: On, ids: string[] | null) {
      await (await toWrite(deps, on)).removeTrash(ids)
      await noteFileChange(deps, {
        serverId: on.server.id,
        userId: on.userId,
        kind: 'remove',
        paths: ['.trash'],
        count: ids?.length ?? 1,
      })
      diskUse.hasChanged(on.server)
    },

    /** Begins a job. It is told of when it is begun: nobody has to wait for its end. */
    async begin(on: On, job: FileJobBody): Promise<FileJob> {
      const files = job.kind === 'measure' ? filesOf(deps, on.server) : await toWrite(deps, on)
      const begun = await files.createJob(job)
      await tellJob(on, job)
      if (job.kind !== 'measure') diskUse.hasChanged(on.server)
      return describeJob(begun)
    },
    async jobs(server: ServerRow): Promise<FileJob[]> {
      return (await filesOf(deps, server).jobs()).jobs.map(describeJob)
    },
    async cancelJob({ server }: On, id: string) {
      await filesOf(deps, server).cancelJob(id)
      diskUse.hasChanged(server)
    },
  }

  async function tellJob(on: On, job: FileJobBody): Promise<void> {
    switch (job.kind) {
      case 'copy':
        return note(on, 'copy', job.from, job.to)
      case 'delete':
        return note(on, 'remove', job.paths)
      case 'pack':
        return note(on, 'pack', job.paths, job.to)
      case 'chmod':
        return note(on, 'chmod', job.paths)
      case 'unpack':
        await inTransaction(deps.db, async (trx) => {
          await recordServerEvent(trx, on.server.id, {
            action: 'EXTRACTED_ARCHIVE',
            data: {
              executor: on.userId,
              archive_path: job.path,
              extract_path: job.to,
              extracted_files: (job.entries ?? []).slice(0, 100),
            },
          })
          await tellFilesChanged(trx, on.server.id)
        })
        return
      case 'measure':
    }
  }
}
