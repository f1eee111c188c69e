/** Ways of the bytes of files. Answers hold a customer's bytes: they are saved by a browser, never shown as a page of ours. */
import { z } from 'zod'
import { idSchema } from '../primitives.ts'
import type { TransportSpec } from '../transport.ts'
import { filePathSchema, writtenFileSchema } from './files.ts'
import { cannotRead, cannotWrite } from './file-errors.ts'

const tag = 'Files'
const anyBytes = 'application/octet-stream'
const ofServer = {
  tag,
  access: { kind: 'server', param: 'id', capability: 'server.manage' },
  keyScope: 'access',
  params: z.object({ id: idSchema }),
} as const
const byte = z.coerce.number().int().min(0)
const offset = z.coerce.number().int().min(0)

/**
 * The content of a file; with `startByte` or `endByte` (within), or a `Range` header, a part of it: 206 with
 * `Content-Range`. `ETag` is its revision in quotes.
 */
export const fileContent = {
  ...ofServer,
  kind: 'bytes',
  method: 'GET',
  path: '/api/v1/servers/:id/files/content',
  summary: 'Get the content of a file, or its bytes from `startByte` to `endByte`',
  query: z.object({ path: filePathSchema, startByte: byte.optional(), endByte: byte.optional() }),
  type: anyBytes,
  errors: [...cannotRead, 'file_does_not_exist', 'file_has_other_type', 'range_not_satisfiable'],
} as const satisfies TransportSpec
/**
 * What an editor saves: the body is the new content, at most `fileLimits.textBytes`. `If-Match: "<revision>"` refuses to
 * write over what has changed since; `If-None-Match: *` makes a new file only. The text from before is kept as a revision.
 */
export const writeFileContent = {
  ...ofServer,
  kind: 'bytes',
  method: 'PUT',
  path: '/api/v1/servers/:id/files/content',
  summary: 'Save the content of a file. With `If-Match`, only if its revision has not changed.',
  query: z.object({ path: filePathSchema }),
  type: 'application/json',
  takes: anyBytes,
  answer: writtenFileSchema,
  errors: [
    ...cannotWrite,
    'file_does_not_exist',
    'file_has_other_type',
    'file_has_been_modified_since',
    'resource_already_exists',
    'unknown_file_name',
    'file_is_too_large',
    'disc_quota_exceeding',
  ],
} as const satisfies TransportSpec
/** The bytes of a log from an offset on (missing: from its end), then all that are added to it. */
export const followFile = {
  ...ofServer,
  kind: 'stream',
  method: 'GET',
  path: '/api/v1/servers/:id/files/follow',
  summary: 'Stream a log as it grows, as plain text',
  query: z.object({ path: filePathSchema, from: offset.optional() }),
  type: 'text/plain',
  errors: [...cannotRead, 'file_does_not_exist', 'file_has_other_type'],
} as const satisfies TransportSpec
export const archiveEntry = {
  ...ofServer,
  kind: 'bytes',
  method: 'GET',
  path: '/api/v1/servers/:id/files/archive/entry',
  summary: 'Get one file from an archive',
  query: z.object({ path: filePathSchema, entry: z.string().min(1).max(4096) }),
  type: anyBytes,
  errors: [...cannotRead, 'file_does_not_exist', 'invalid_file', 'archive_is_encrypted', 'archive_is_too_large'],
} as const satisfies TransportSpec

const byTicket = {
  kind: 'bytes',
  path: '/transfers/:ticket',
  tag,
  access: { kind: 'ticket' },
  params: z.object({ ticket: z.string().max(100) }),
  type: anyBytes,
} as const
const ended = ['transfer_ended', ...cannotRead] as const
const upload = [...ended, ...cannotWrite, 'upload_not_found'] as const

export const download = {
  ...byTicket,
  method: 'GET',
  summary: 'Download the file of a ticket, a range of it, or its archive, which is packed as it is sent',
  errors: [...ended, 'file_does_not_exist', 'file_has_other_type', 'range_not_satisfiable'],
} as const satisfies TransportSpec
export const transferHead = {
  ...byTicket,
  method: 'HEAD',
  summary: 'Get the size of a ticket’s file, or the `Upload-Offset` and `Upload-Length` of its upload (tus 1.0)',
  errors: [...ended, 'file_does_not_exist', 'upload_not_found'],
} as const satisfies TransportSpec
export const createUpload = {
  ...byTicket,
  method: 'POST',
  summary:
    'Create an upload, for tus clients that start with this step. It is the ticket’s own, and `Location` is this address.',
  errors: upload,
} as const satisfies TransportSpec
export const appendUpload = {
  ...byTicket,
  method: 'PATCH',
  summary:
    'Upload the next bytes from `Upload-Offset` on (tus 1.0). Each part is checked against `Upload-Checksum: sha256 …` if sent.',
  takes: 'application/offset+octet-stream',
  errors: [
    ...upload,
    'upload_offset_differs',
    'upload_checksum_differs',
    'file_has_other_type',
    'resource_already_exists',
    'disc_quota_exceeding',
  ],
} as const satisfies TransportSpec
export const cancelUpload = {
  ...byTicket,
  method: 'DELETE',
  summary: 'Cancel an upload and delete what has arrived',
  errors: upload,
} as const satisfies TransportSpec
