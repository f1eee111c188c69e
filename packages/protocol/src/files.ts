/**
 * Messages between the control plane and the files service of one server, which runs in a box beside its game with the
 * volume at hand and does all work on its files, as the game's own user. The schemas bound what it says (`bounds.ts`),
 * since whoever runs a game can speak for it. `file-values.ts` has the bounds of what it is asked.
 *
 * HTTP/1.1 on a socket (`FilesEndpoint`); every request carries `Authorization: Bearer <token>` (`filesTokenClaims`).
 *
 * Paths are relative to the volume: names with `/` between them, '' for the volume itself, none empty, `.` or `..`; at most
 * 4 096 bytes, a name 255. Names that are no UTF-8 are told, and asked for, in the percent form of `nameOfBytes`.
 * `.wakestone` does not exist, `.trash/…` can be read only. Links lead on within the volume and nowhere else.
 *
 * What fails: a status and `{error, fields?}`, codes in `fileErrors`. Lists are NDJSON; behind the last line stands
 * `{"end":true,"truncated":false}`, or `{"error":code}` where it broke off.
 *
 * A revision names what a file holds and changes with it; `ETag` is it in quotes. `overwrite` is `fail` where it is missing.
 *
 *   GET    /v1/status                   → {serverId, jobs}   how many are under way
 *   GET    /v1/list?path=&hidden=0|1    → lines FileLine, in no order; without `hidden=1` no names that begin with a dot
 *   GET    /v1/stat?path=               → FileStat
 *   GET    /v1/read?path=               → bytes; `Range` (one), `If-Range`, `ETag`; 206, 416; HEAD too
 *   PUT    /v1/write?path=              → WrittenFile   the body is the new content, at most 16 MiB; `If-Match: "revision"`
 *                                         or `If-None-Match: *`; atomic; what was there before is kept as a revision
 *   POST   /v1/uploads {path, size, mtime?, sha256?, fingerprint?, overwrite?} → Upload   the same again: the one that is
 *                                         there. `path` where it is complete: of size 0, or sent before
 *   HEAD   /v1/uploads/ID               → `Upload-Offset`, `Upload-Length` (tus 1.0)
 *   PATCH  /v1/uploads/ID               → 204 `Upload-Offset`; takes `Upload-Offset`, `Upload-Checksum: sha256 <base64>`.
 *                                         The last one puts the file into its place; then also `Upload-Path`, `ETag`
 *   DELETE /v1/uploads/ID               → 204
 *   POST   /v1/move {from: [path], to: folder, overwrite?}          → {paths} where each is now
 *   POST   /v1/rename {from: path, to: path, overwrite?}            → {path}
 *   POST   /v1/copy {from: [path], to: folder, overwrite?}          → 202 Job, as a job of that kind
 *   POST   /v1/folder {path}            → 204, with those above it; resource_already_exists when it is there
 *   POST   /v1/permissions {paths, mode, recursive?}                → 204, or 202 Job when recursive
 *   POST   /v1/delete {paths, permanently?}                         → 204; permanently: 202 Job
 *   GET    /v1/trash                    → {entries: TrashEntry[], truncated}   newest first; an entry's content can be read
 *                                         at `.trash/<id>/content`
 *   GET    /v1/trash/gone               → {gone: GoneEntry[]}   what went before its time because room was needed
 *   POST   /v1/trash/restore {ids, within?, overwrite?}             → {paths}   `within`: only these, below the one of `ids`
 *   POST   /v1/trash/remove {ids | null}                            → 204
 *   GET    /v1/revisions?path=          → {revisions: Revision[]}   newest first
 *   GET    /v1/revision?path=&id=       → bytes
 *   GET    /v1/archive?path=…&path=…&format=zip|tar.zst             → bytes, made while they go; all paths in one folder
 *   POST   /v1/jobs JobRequest          → 202 Job
 *   GET    /v1/jobs                     → {jobs: Job[]}   newest first, with those that are just over
 *   GET    /v1/jobs/ID                  → Job
 *   GET    /v1/jobs/ID/stream           → lines Job, whenever it has changed, until it is over
 *   DELETE /v1/jobs/ID                  → 204; what it has done is undone
 *   GET    /v1/archive/entries?path=    → lines ArchiveLine
 *   GET    /v1/archive/entry?path=&entry=   → bytes, at most 16 MiB
 *   GET    /v1/search?path=&name=&content=&case=0|1&regex=0|1&hidden=0|1   → lines SearchLine; ends with the connection
 *   GET    /v1/follow?path=&from=       → bytes as a log grows, from an offset, the end (missing) or before it (negative),
 *                                         through rotation; `Follow-Offset` is where it begins
 *   GET    /v1/statfs                   → DiskStats
 *   GET    /v1/tree?path=               → Tree: NBT, the chunks of a region, or the tables of an SQLite database
 *   GET    /v1/tree?path=&chunk=x,z     → Tree: the NBT of one chunk
 *   GET    /v1/tree?path=&table=&from=  → Tree: 100 rows of a table, from that one on
 *   GET    /v1/players?edition=java|bedrock      → Players: the game's lists, and who has ever come
 *   GET    /v1/player?id=UUID           → PlayerFile: what Java keeps of one; file_does_not_exist
 *   POST   /v1/player {id, revision, changes}    → WrittenFile; the one before is kept as a revision. `changes` are those of
 *                                         `changePlayerData`
 *   POST   /v1/player/forget {id, names}         → 204: their files and what those were before, and their entries in lists
 *   …      /v1/worlds…                 see `worlds.ts`
 *   GET    /v1/sftp  `Upgrade: sftp`    → 101, then the raw channel of OpenSSH's `sftp-server`
 */
import { z } from 'zod'
import type { TunnelEndpoint } from './agent-address.ts'
import { count, few, first, measure, moment } from './bounds.ts'
import * as values from './file-values.ts'
import { pruneTicks, worldEditions } from './world-values.ts'

/** Where the files service of a server is reached. */
export type FilesEndpoint =
  | { kind: 'unix'; path: string }
  | { kind: 'http'; url: string }
  | (TunnelEndpoint & { to: 'files' })

/** What a cluster driver lays beside the service; its path is the only argument. It holds no secret. */
export const filesConfigSchema = z.object({
  serverId: z.uuid(),
  listen: z.union([z.object({ socket: z.string() }), z.object({ port: z.number().int() })]),
  /** SPKI PEM of the key that signs tokens of audience `files`. */
  publicKey: z.string(),
  volume: z.string(),
  /** What the plan allows. */
  diskBytes: z.number().int(),
  /** Whether the volume is a file system of its own, which refuses what is more than that. */
  diskQuota: z.boolean().optional(),
  /** It ends itself so long after its last connection and job; 60 seconds where it is missing. */
  idleSeconds: z.number().optional(),
})
export type FilesConfig = z.infer<typeof filesConfigSchema>

/** Told text: of any characters, since names are; longer ones are refused. */
const told = (length: number) =>
  z
    .string()
    .max(length)
    .transform((text) => text.toWellFormed().replaceAll('\0', '\uFFFD'))
const name = told(3 * values.nameBytes + 2)
const path = told(3 * values.pathBytes)
const target = told(3 * values.pathBytes)
const id = z.string().regex(/^[\w-]{1,64}$/)
const type = z.enum(values.fileTypes)
const bytes = measure.transform(Math.trunc)
/** Milliseconds since 1970; files may be older than that. */
const time = z.number().transform((ms) => Math.min(8.64e15, Math.max(-8.64e15, Math.trunc(ms))))
const mode = z.number().transform((bits) => Math.trunc(bits) & 0o7777)
const revision = z.string().regex(/^[\w.-]{1,100}$/)

export const fileLineSchema = z.tuple([name, type, bytes, time, mode, target.optional()])
export const archiveLineSchema = z.tuple([path, type, bytes, time])
export const searchLineSchema = z.tuple([path, type, count(2 ** 31).optional(), told(2 * values.hitLength).optional()])
export const lineEndSchema = z.union([
  z.object({ end: z.literal(true), truncated: z.boolean() }),
  z.object({ error: z.string().max(60) }),
])

export const fileStatSchema = z.object({
  name,
  type,
  size: bytes,
  mtime: time,
  mode,
  target: target.nullable(),
  /** null: of what is no file. */
  revision: revision.nullable(),
  /** Bytes that it takes on the disk. */
  takes: bytes,
})
export type FileStat = z.infer<typeof fileStatSchema>

export const writtenFileSchema = z.object({ revision, size: bytes, mtime: time })
export type WrittenFile = z.infer<typeof writtenFileSchema>

export const uploadRequestSchema = z.object({
  path: z.string(),
  size: z.int().min(0).max(values.uploadBytes),
  mtime: z.int().min(0).optional(),
  /** Of the whole, in hex. */
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
  /** Tells one file from another of the same path, size and time. */
  fingerprint: z.string().max(200).optional(),
  overwrite: z.enum(values.overwriteModes).optional(),
})
export type UploadRequest = z.infer<typeof uploadRequestSchema>
/** `path`: where it is, once it is complete. */
export const uploadSchema = z.object({ id, offset: bytes, size: bytes, path: path.nullable() })
export type Upload = z.infer<typeof uploadSchema>

export const placedSchema = z.object({ path })
export const allPlacedSchema = z.object({ paths: first(values.pathsPerRequest, path) })

export const trashEntrySchema = z.object({
  id,
  /** Where it was. */
  path,
  type,
  /** Of a folder with all that is in it; null while that is not counted. */
  size: bytes.nullable(),
  deletedAt: moment,
})
export type TrashEntry = z.infer<typeof trashEntrySchema>
export const goneEntrySchema = z.object({ id, path, size: bytes, goneAt: moment })
export type GoneEntry = z.infer<typeof goneEntrySchema>
export const goneSchema = z.object({ gone: first(values.goneTold, goneEntrySchema) })
export const trashSchema = z.object({ entries: first(values.entriesTold, trashEntrySchema), truncated: z.boolean() })

export const revisionSchema = z.object({ id, savedAt: moment, size: bytes })
export type Revision = z.infer<typeof revisionSchema>
export const revisionsSchema = z.object({ revisions: first(values.revisionsKept, revisionSchema) })

const overwrite = z.enum(values.overwriteModes).optional()
const paths = z.array(z.string()).min(1).max(values.pathsPerRequest)
export const jobRequestSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('copy'), from: paths, to: z.string(), overwrite }),
  /** For good, past the trash. */
  z.object({ kind: z.literal('delete'), paths }),
  /** All paths lie in one folder, whose names the archive has. `to` is the archive's own path. */
  z.object({ kind: z.literal('pack'), paths, to: z.string(), format: z.enum(values.archiveFormats), overwrite }),
  /** `entries`: only these, with what is in them. */
  z.object({
    kind: z.literal('unpack'),
    path: z.string(),
    to: z.string(),
    overwrite: z.enum(values.unpackModes).optional(),
    entries: paths.optional(),
  }),
  /** `mode` as in 0o644; folders get `x` where they get `r`, and always `rwx` for their owner. */
  z.object({ kind: z.literal('chmod'), paths, mode: z.int().min(0).max(0o777), recursive: z.boolean().optional() }),
  z.object({ kind: z.literal('measure'), paths }),
  /** Folders of one world by other names, each in the folder of the first; without what only one world may have. */
  z.object({ kind: z.literal('world-copy'), folders: paths, names: paths }),
  /** The world that is in an archive, wherever it stands there; it becomes the folder `to`. */
  z.object({ kind: z.literal('world-import'), path: z.string(), to: z.string(), edition: z.enum(worldEditions) }),
  /** Chunks near which players were no longer than so many ticks go from these dimensions; into the trash. */
  z.object({ kind: z.literal('world-prune'), folders: paths, ticks: z.int().min(0).max(pruneTicks) }),
])
export type JobRequest = z.infer<typeof jobRequestSchema>

export const jobSchema = z.object({
  id,
  kind: z.enum(values.jobKinds),
  state: z.enum(values.jobStates),
  /** Files and folders; `total` null: not counted. */
  done: bytes,
  total: bytes.nullable(),
  bytes,
  bytesTotal: bytes.nullable(),
  /** What is being handled. */
  item: path.nullable(),
  /** Why it failed; all that it did is undone then. */
  error: z
    .object({
      code: z.string().max(60),
      fields: z.record(z.string().max(40), z.union([told(500), z.number(), z.boolean()])).optional(),
    })
    .nullable(),
  /** What was asked for, of one that met something in its way: it can be asked for again, with another choice. */
  request: jobRequestSchema.optional(),
  /** First path that it is about, how many there are, and where to. */
  path,
  paths: count(values.pathsPerRequest),
  to: path.nullable(),
  createdAt: moment,
  endedAt: moment.nullable(),
})
export type Job = z.infer<typeof jobSchema>
export const jobsSchema = z.object({ jobs: first(values.jobsTold + values.jobsAtOnce + values.jobsWaiting, jobSchema) })

export const diskStatsSchema = z.object({
  type: bytes,
  bsize: bytes,
  /** Of the plan's limit, where the volume is a folder. */
  blocks: bytes,
  bfree: bytes,
  bavail: bytes,
  files: bytes,
  ffree: bytes,
  flags: bytes,
  /** Bytes; `trash` is part of `used`. */
  used: bytes,
  limit: bytes.nullable(),
  trash: bytes,
})
export type DiskStats = z.infer<typeof diskStatsSchema>

/** `value` of what holds nothing else (arrays: their first numbers), `size` and `nodes` of what does; `size` counts those left out, too. */
export type TreeNode = {
  name: string
  type: string
  value?: string | undefined
  size?: number | undefined
  nodes?: TreeNode[] | undefined
}
const treeNodeSchema: z.ZodType<TreeNode> = z.object({
  name: told(values.treeText),
  type: z.string().max(20),
  value: told(8 * values.treeText).optional(),
  size: bytes.optional(),
  get nodes() {
    return few(values.treeNodes, treeNodeSchema).optional()
  },
})
const chunkPlace = { x: count(31), z: count(31) }
export const treeSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('nbt'),
    edition: z.enum(['java', 'bedrock']),
    compression: z.enum(['none', 'gzip', 'zlib']),
    root: treeNodeSchema,
    /** There is more than is told. */
    truncated: z.boolean(),
  }),
  z.object({
    kind: z.literal('region'),
    /** `writtenAt`: ms since 1970, 0 where it is not said. */
    chunks: few(1024, z.object({ ...chunkPlace, bytes, writtenAt: time })),
    damaged: few(1024, z.object(chunkPlace)),
  }),
  z.object({ kind: z.literal('tables'), tables: few(1000, z.object({ name: told(values.treeText), rows: bytes })) }),
  z.object({
    kind: z.literal('rows'),
    table: told(values.treeText),
    columns: few(2_000, told(values.treeText)),
    /** Cells as text; null: NULL. */
    rows: few(values.treeRows, few(2_000, told(values.treeText).nullable())),
    from: bytes,
    total: bytes,
  }),
])
export type Tree = z.infer<typeof treeSchema>

const playerName = told(values.playerNameLength)
const playerText = told(values.playerTextLength)
const playerId = z.string().regex(/^[0-9a-f-]{36}$|^\d{1,20}$/)
const listed = <Entry extends z.ZodType>(entry: Entry) => first(values.listedPlayers, entry)
const ban = { created: playerText, source: playerText, expires: playerText, reason: playerText }
export const playersSchema = z.object({
  /** Whether accounts are checked, so that UUIDs are those of Mojang. */
  onlineMode: z.boolean(),
  whitelistOn: z.boolean(),
  whitelist: listed(z.object({ id: playerId.nullable(), name: playerName })),
  /** `name` null: Bedrock lists numbers only. */
  operators: listed(z.object({ id: playerId, name: playerName.nullable(), level: count(4) })),
  bans: listed(z.object({ id: playerId, name: playerName, ...ban })),
  addressBans: listed(z.object({ ip: z.string().max(45), ...ban })),
  known: first(
    values.knownPlayers,
    z.object({
      id: playerId,
      name: playerName.nullable(),
      /** Seconds. */
      played: bytes.nullable(),
      /** Ms since 1970: when their file was written last. */
      lastSeen: time.nullable(),
      hasData: z.boolean(),
    }),
  ),
  /** There are more than are told. */
  truncated: z.boolean(),
})
export type Players = z.infer<typeof playersSchema>

const amount = z.number().nullable()
const spot = z.object({ x: z.number(), y: z.number(), z: z.number() }).nullable()
const stack = z.object({
  slot: z.int().min(-1_000).max(1_000),
  id: told(100),
  count: count(1_000_000),
  special: z.boolean(),
  name: told(100).nullable(),
  enchantments: first(50, z.object({ id: told(100), level: z.number() })),
  damage: measure,
})
export const playerFileSchema = z.object({
  revision,
  name: playerName.nullable(),
  position: spot,
  dimension: told(100).nullable(),
  health: amount,
  food: amount,
  level: amount,
  gameMode: z.enum(['survival', 'creative', 'adventure', 'spectator']).nullable().catch(null),
  spawn: spot,
  firstPlayed: time.nullable(),
  lastPlayed: time.nullable(),
  inventory: first(values.playerStacks, stack),
  enderChest: first(values.playerStacks, stack),
})
export type PlayerFile = z.infer<typeof playerFileSchema>
