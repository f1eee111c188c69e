/**
 * Files of a server: what is told of them, and what can be asked for. Paths are relative to all of its files: names with
 * `/` between them, '' for the top. Bytes go by the transports of `files-transports.ts`.
 */
import { z } from 'zod'
import { errorCodes } from '../errors.ts'
import { idSchema, timeSchema } from '../primitives.ts'
import {
  archiveFormats,
  bytesOf,
  fileLimits,
  fileTypes,
  findNameFault,
  overwriteModes,
  unpackModes,
} from './file-values.ts'

const isPath = (path: string) =>
  bytesOf(path) <= fileLimits.pathBytes && path.split('/').every((name) => findNameFault(name) === undefined)

/** The path of a file or folder. */
export const filePathSchema = z.string().max(fileLimits.pathBytes).refine(isPath, 'file_path')
/** The path of a folder, which may be the top. */
export const folderPathSchema = z
  .string()
  .max(fileLimits.pathBytes)
  .refine((path) => path === '' || isPath(path), 'file_path')
const somePaths = z.array(filePathSchema).min(1).max(fileLimits.paths)

const fileType = z.enum(fileTypes)

/**
 * What follows the lines of any list that is told as it is read (NDJSON): `end` once all of it was told, with `truncated`
 * where there would be more; `error` where it broke off.
 */
export const lineEndSchema = z.union([
  z.object({ end: z.literal(true), truncated: z.boolean() }),
  z.object({ error: z.enum(errorCodes) }),
])
export type LineEnd = z.infer<typeof lineEndSchema>

/** A name for the content of a file: it changes whenever that does. */
export const revisionSchema = z.string().min(1).max(200)

export const fileStatSchema = z.object({
  name: z.string(),
  type: fileType,
  /** Bytes. */
  size: z.number(),
  /** Milliseconds since 1970. */
  mtime: z.number(),
  mode: z.int(),
  target: z.string().nullable(),
  /** null: of what is no file. */
  revision: revisionSchema.nullable(),
})
export type FileStat = z.infer<typeof fileStatSchema>

/** What stands behind `writeFileContent`. */
export const writtenFileSchema = z.object({ revision: revisionSchema, size: z.number(), mtime: z.number() })
export type WrittenFile = z.infer<typeof writtenFileSchema>

/** The specification's disk stats, as `statfs` tells them, with what the plan allows. */
export const diskStatsSchema = z.object({
  type: z.number(),
  bsize: z.number(),
  blocks: z.number(),
  bfree: z.number(),
  bavail: z.number(),
  files: z.number(),
  ffree: z.number(),
  flags: z.number(),
  /** Added: bytes. `limit` null: no limit; `trash` is part of `used`. */
  used: z.number(),
  limit: z.number().nullable(),
  trash: z.number(),
})
export type DiskStats = z.infer<typeof diskStatsSchema>

const overwrite = z.enum(overwriteModes).default('fail')

export const moveFilesBody = z.object({ from: somePaths, to: folderPathSchema, overwrite })
export const renameFileBody = z.object({ from: filePathSchema, to: filePathSchema, overwrite })
export const makeFolderBody = z.object({ path: filePathSchema })
export const deleteFilesBody = z.object({ paths: somePaths })
/** Permissions of files, without setuid and its kin: 0o644. */
const mode = z.int().min(0).max(0o777)

/** What may take longer than a request. */
export const fileJobBody = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('copy'), from: somePaths, to: folderPathSchema, overwrite }),
  /** For good, past the trash. */
  z.object({ kind: z.literal('delete'), paths: somePaths }),
  /** All paths lie in one folder; the archive's names begin there. */
  z.object({
    kind: z.literal('pack'),
    paths: somePaths,
    to: filePathSchema,
    format: z.enum(archiveFormats),
    overwrite,
  }),
  z.object({
    kind: z.literal('unpack'),
    path: filePathSchema,
    to: folderPathSchema,
    overwrite: z.enum(unpackModes).default('fail'),
    /** Only these of it, with what is in them. */
    entries: z.array(z.string().min(1).max(fileLimits.pathBytes)).max(fileLimits.paths).optional(),
  }),
  z.object({ kind: z.literal('chmod'), paths: somePaths, mode, recursive: z.boolean().default(false) }),
  /** Counts files and bytes. */
  z.object({ kind: z.literal('measure'), paths: z.array(folderPathSchema).min(1).max(fileLimits.paths) }),
])
export type FileJobBody = z.infer<typeof fileJobBody>
export const fileJobKinds = ['copy', 'delete', 'pack', 'unpack', 'chmod', 'measure'] as const
export type FileJobKind = (typeof fileJobKinds)[number]
export const fileJobStates = ['waiting', 'running', 'done', 'failed', 'cancelled'] as const

export const fileJobSchema = z.object({
  id: z.string(),
  kind: z.enum(fileJobKinds),
  state: z.enum(fileJobStates),
  /** Files and folders; null: not counted yet. */
  done: z.number(),
  total: z.number().nullable(),
  /** Bytes so far, and altogether. */
  bytes: z.number(),
  bytes_total: z.number().nullable(),
  /** What is being handled now. */
  item: z.string().nullable(),
  /** Why it failed; all that it did is undone then. */
  error: z.object({ code: z.enum(errorCodes), fields: z.record(z.string(), z.unknown()).optional() }).nullable(),
  /** What was asked for, of one that met something in its way: to be asked for again with another `overwrite`. */
  request: fileJobBody.nullable(),
  /** What it is about: the first path of it, how many there are, and where to. */
  path: z.string(),
  paths: z.int(),
  to: z.string().nullable(),
  created_at: timeSchema,
  ended_at: timeSchema.nullable(),
})
export type FileJob = z.infer<typeof fileJobSchema>

export const trashEntrySchema = z.object({
  id: z.string(),
  /** Where it was. */
  path: z.string(),
  type: fileType,
  /** Bytes; of a folder with all that is in it, null while that is not counted. */
  size: z.number().nullable(),
  deleted_at: timeSchema,
  /** When it goes for good, unless room is needed before. */
  until: timeSchema,
})
export type TrashEntry = z.infer<typeof trashEntrySchema>
/** Newest first; `truncated`: there are more. */
export const trashSchema = z.object({ entries: z.array(trashEntrySchema), truncated: z.boolean() })
export type Trash = z.infer<typeof trashSchema>
const trashIds = z.array(z.string().min(1).max(100)).min(1).max(fileLimits.paths)
/** `within`: only these paths below the one thing that `ids` names; what else is in it stays in the trash. */
export const restoreTrashBody = z
  .object({ ids: trashIds, within: somePaths.optional(), overwrite })
  .refine(({ ids, within }) => within === undefined || ids.length === 1, { path: ['within'], message: 'of_one' })
/** null: all of it. */
export const removeTrashBody = z.object({ ids: trashIds.nullable() })

/** A text as an editor saved it, before the one that came after. */
export const fileRevisionSchema = z.object({ id: z.string(), saved_at: timeSchema, size: z.number() })
export type FileRevision = z.infer<typeof fileRevisionSchema>

export const searchQuery = z.object({
  path: folderPathSchema.default(''),
  /** Part of a name, or a pattern with `*` and `?`. */
  name: z.string().max(fileLimits.searchText).optional(),
  /** Text within files. */
  content: z.string().max(fileLimits.searchText).optional(),
  case: z.enum(['0', '1']).default('0'),
  /** Whether `content` is a regular expression. */
  regex: z.enum(['0', '1']).default('0'),
  hidden: z.enum(['0', '1']).default('0'),
})
/** The specification's read of a log. Offsets count bytes; a negative one counts from the end. */
export const logQuery = z.object({
  path: filePathSchema.default('logs/latest.log'),
  offset: z.coerce.number().int().default(-65_536),
  length: z.coerce.number().int().min(1).max(1_048_576).default(65_536),
})
/** A log as it grows, line by line, as the specification has its log streams. `from` as `offset` above; missing: its end. */
export const logStreamQuery = z.object({
  path: filePathSchema.default('logs/latest.log'),
  from: z.coerce.number().int().optional(),
})
/** A line of that stream: `time` is when it was read (ms since 1970), `bytes` where it begins in the log. */
export const logStreamLineSchema = z.object({
  time: z.number(),
  log: z.string(),
  msg: z.string(),
  bytes: z.number(),
  stream: z.literal('file'),
})
export type LogStreamLine = z.infer<typeof logStreamLineSchema>
export const logReadSchema = z.object({
  offset: z.number(),
  length: z.number(),
  totalBytes: z.number(),
  data: z.string(),
})

/** From a URL: an operation, which can be cancelled as any other. */
export const fetchFileBody = z.object({
  url: z.url({ protocol: /^https?$/ }).max(2048),
  path: filePathSchema,
  overwrite,
})

/** What a ticket is for; its bytes go by `/transfers/:ticket`. */
export const ticketBody = z.discriminatedUnion('purpose', [
  /** One file, as it is. */
  z.object({ purpose: z.literal('read'), path: filePathSchema }),
  /** Files and folders of one folder in an archive that is made while it goes. '' packs all. */
  z.object({
    purpose: z.literal('archive'),
    paths: z.array(folderPathSchema).min(1).max(fileLimits.paths),
    format: z.enum(archiveFormats).default('zip'),
  }),
  /**
   * A file that comes in parts (tus 1.0). The same path, size and time again lead to the upload that is there, which goes
   * on at `offset`: after a reload, or with a ticket that has ended.
   */
  z.object({
    purpose: z.literal('upload'),
    path: filePathSchema,
    size: z.int().min(0).max(fileLimits.uploadBytes),
    /** Milliseconds since 1970. */
    mtime: z.int().min(0).optional(),
    /** Of the whole, in hex: what does not fit it is refused at the end. */
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .optional(),
    /** Tells one file from another of the same path, size and time, such as a hash of its first bytes. */
    fingerprint: z.string().max(200).optional(),
    overwrite,
  }),
])
export type TicketBody = z.input<typeof ticketBody>
export const ticketSchema = z.object({
  /** A path on this host. Whoever has it can use it for as long as whoever asked for it may. */
  url: z.string(),
  expires_at: timeSchema,
  /** Of an upload: bytes that are there already. null: not one. */
  offset: z.number().nullable(),
})
export type Ticket = z.infer<typeof ticketSchema>

export const begunFetchSchema = z.object({ process_id: idSchema })
