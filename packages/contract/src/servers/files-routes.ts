import { z } from 'zod'
import { idSchema } from '../primitives.ts'
import { defineRoute } from '../route.ts'
import { cannotRead, cannotWrite } from './file-errors.ts'
import { fileTreeQuery, fileTreeSchema } from './file-tree.ts'
import * as files from './files.ts'

const tag = 'Files'
const params = z.object({ id: idSchema })
const manage = { kind: 'server', param: 'id', capability: 'server.manage' } as const
const shared = { tag, access: manage, keyScope: 'access', params } as const

const cannotFind = [...cannotRead, 'file_does_not_exist', 'file_has_other_type'] as const
/** Of what puts something somewhere. */
const cannotPut = [
  ...cannotWrite,
  'file_does_not_exist',
  'file_has_other_type',
  'resource_already_exists',
  'unknown_file_name',
  'disc_quota_exceeding',
] as const
/** One JSON value per line, told as it is read; the last line says how it ended (`lineEndSchema`). */
const ndjson = {
  streams: 'application/x-ndjson',
  responses: { 200: z.custom<AsyncIterable<string>>() },
} as const

export const getDiskStats = defineRoute({
  ...shared,
  method: 'GET',
  path: '/servers/:id/files/statfs',
  summary: 'Get the disk limit and disk usage of a server’s files',
  responses: { 200: files.diskStatsSchema },
  errors: cannotRead,
})
export const listFiles = defineRoute({
  ...shared,
  ...ndjson,
  method: 'GET',
  path: '/servers/:id/files/list',
  summary: 'List the contents of a folder: `[name, type, size, mtime, mode, target?]` per line, unsorted',
  query: z.object({ path: files.folderPathSchema.default(''), hidden: z.enum(['0', '1']).default('0') }),
  errors: cannotFind,
})
export const getFileStat = defineRoute({
  ...shared,
  method: 'GET',
  path: '/servers/:id/files/stat',
  summary: 'Get the details of a file or folder',
  query: z.object({ path: files.folderPathSchema }),
  responses: { 200: files.fileStatSchema },
  errors: cannotFind,
})
export const searchFiles = defineRoute({
  ...shared,
  ...ndjson,
  method: 'GET',
  path: '/servers/:id/files/search',
  summary: 'Search file names and contents: `[path, type, line?, text?]` per match. Stops when the client disconnects.',
  query: files.searchQuery,
  errors: cannotFind,
})
export const readLog = defineRoute({
  ...shared,
  method: 'GET',
  path: '/servers/:id/files/log',
  summary: 'Get part of a log, from an offset or from its end. Invalid UTF-8 is replaced.',
  query: files.logQuery,
  responses: { 200: files.logReadSchema },
  errors: cannotFind,
})
export const streamLog = defineRoute({
  ...shared,
  ...ndjson,
  method: 'GET',
  path: '/servers/:id/files/log/stream',
  summary: 'Stream a log as it grows: `{time, log, msg, bytes, stream}` per line, until the client disconnects',
  query: files.logStreamQuery,
  errors: cannotFind,
})
export const listArchive = defineRoute({
  ...shared,
  ...ndjson,
  method: 'GET',
  path: '/servers/:id/files/archive/entries',
  summary: 'List the contents of an archive: `[path, type, size, mtime]` per line',
  query: z.object({ path: files.filePathSchema }),
  errors: [...cannotFind, 'invalid_file', 'archive_is_encrypted'],
})

export const getFileTree = defineRoute({
  ...shared,
  method: 'GET',
  path: '/servers/:id/files/tree',
  summary: 'Get a data file as a tree: NBT, a region and its chunks, or an SQLite database with 100 rows of a table',
  query: fileTreeQuery,
  responses: { 200: fileTreeSchema },
  errors: [...cannotFind, 'invalid_file', 'file_is_too_large'],
})

export const createFileTicket = defineRoute({
  ...shared,
  method: 'POST',
  path: '/servers/:id/files/tickets',
  summary:
    'Create a ticket for a download, an archive or an upload. The bytes are transferred at `/transfers/:ticket`.',
  viewAs: true, // reading; the handler refuses what writes
  body: files.ticketBody,
  responses: { 201: files.ticketSchema },
  errors: cannotPut,
})
export const fetchFile = defineRoute({
  ...shared,
  method: 'POST',
  path: '/servers/:id/files/fetch',
  summary: 'Download a file from the internet to the server. This starts a process that can be followed and cancelled.',
  body: files.fetchFileBody,
  responses: { 202: files.begunFetchSchema },
  errors: [...cannotPut, 'url_not_allowed'],
})

export const moveFiles = defineRoute({
  ...shared,
  method: 'POST',
  path: '/servers/:id/files/move',
  summary: 'Move files and folders into a folder',
  body: files.moveFilesBody,
  /** Where each of `from` is now. */
  responses: { 200: z.object({ paths: z.array(z.string()) }) },
  errors: cannotPut,
})
export const renameFile = defineRoute({
  ...shared,
  method: 'POST',
  path: '/servers/:id/files/rename',
  summary: 'Rename a file or folder, or move it to another path',
  body: files.renameFileBody,
  responses: { 200: z.object({ path: z.string() }) },
  errors: cannotPut,
})
export const makeFolder = defineRoute({
  ...shared,
  method: 'POST',
  path: '/servers/:id/files/folder',
  summary: 'Create a folder and any missing parent folders',
  body: files.makeFolderBody,
  responses: { 204: null },
  errors: cannotPut,
})
export const deleteFiles = defineRoute({
  ...shared,
  method: 'POST',
  path: '/servers/:id/files/trash',
  summary:
    'Move files and folders to the trash for seven days. To delete them permanently, create a job of the kind `delete`.',
  body: files.deleteFilesBody,
  responses: { 204: null },
  errors: [...cannotWrite, 'file_does_not_exist'],
})

export const listTrash = defineRoute({
  ...shared,
  method: 'GET',
  path: '/servers/:id/files/trash',
  summary: 'List the contents of the trash',
  responses: { 200: files.trashSchema },
  errors: cannotRead,
})
export const restoreTrash = defineRoute({
  ...shared,
  method: 'POST',
  path: '/servers/:id/files/trash/restore',
  summary: 'Restore items from the trash to where they were',
  body: files.restoreTrashBody,
  /** Where each is now. */
  responses: { 200: z.object({ paths: z.array(z.string()) }) },
  errors: cannotPut,
})
export const removeTrash = defineRoute({
  ...shared,
  method: 'POST',
  path: '/servers/:id/files/trash/remove',
  summary: 'Permanently delete some or all of the trash',
  body: files.removeTrashBody,
  responses: { 204: null },
  errors: [...cannotWrite, 'file_does_not_exist'],
})

export const listFileRevisions = defineRoute({
  ...shared,
  method: 'GET',
  path: '/servers/:id/files/revisions',
  summary: 'List the earlier contents of a file, from before each save in an editor, newest first',
  query: z.object({ path: files.filePathSchema }),
  responses: { 200: z.object({ revisions: z.array(files.fileRevisionSchema) }) },
  errors: cannotRead,
})
export const getFileRevision = defineRoute({
  ...shared,
  method: 'GET',
  path: '/servers/:id/files/revision',
  summary: 'Get an earlier content of a file',
  query: z.object({ path: files.filePathSchema, revision: z.string().min(1).max(100) }),
  responses: { 200: z.object({ text: z.string() }) },
  errors: [...cannotRead, 'file_does_not_exist'],
})

const oneJob = params.extend({ job_id: z.string().min(1).max(64) })
export const createFileJob = defineRoute({
  ...shared,
  method: 'POST',
  path: '/servers/:id/files/jobs',
  summary:
    'Start a job that may outlast a request: copy, delete permanently, pack, unpack, set permissions or measure size',
  body: files.fileJobBody,
  responses: { 202: files.fileJobSchema },
  errors: [...cannotPut, 'invalid_file', 'archive_is_encrypted', 'archive_is_too_large'],
})
export const listFileJobs = defineRoute({
  ...shared,
  method: 'GET',
  path: '/servers/:id/files/jobs',
  summary: 'List the jobs under way and those that have just ended',
  responses: { 200: z.object({ jobs: z.array(files.fileJobSchema) }) },
  errors: cannotRead,
})
export const followFileJob = defineRoute({
  ...shared,
  ...ndjson,
  method: 'GET',
  path: '/servers/:id/files/jobs/:job_id/stream',
  summary: 'Stream a job: its state, one line for every change, until it ends',
  params: oneJob,
  errors: [...cannotRead, 'file_job_not_found'],
})
export const cancelFileJob = defineRoute({
  ...shared,
  method: 'DELETE',
  path: '/servers/:id/files/jobs/:job_id',
  summary: 'Cancel a job and undo what it has done',
  params: oneJob,
  responses: { 204: null },
  errors: [...cannotRead, 'file_job_not_found'],
})
