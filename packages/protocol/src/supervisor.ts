/**
 * Messages between the control plane and a supervisor; see `versions.ts` for what differs between versions.
 *
 * The supervisor serves HTTP on a socket that only its host can reach (see `SupervisorEndpoint`).
 * Every request carries `Authorization: Bearer <token>`, an EdDSA token of purpose `supervisor`
 * for that one server (see `tokens.ts`); a supervisor holds the public key only.
 *
 * The schemas bound what a supervisor says (see `bounds.ts`), since whoever runs a game can speak for it.
 *
 *   GET  /v1/status                       → SupervisorStatus
 *   POST /v1/install   InstallRequest     → 202 SupervisorStatus   same plan again: no work
 *   POST /v1/start     {}                 → 202 SupervisorStatus   wants the game up
 *   POST /v1/stop      StopRequest        → 202 SupervisorStatus   wants it down; kills after the timeout
 *   POST /v1/restart   StopRequest        → 202 SupervisorStatus
 *   POST /v1/kill      {}                 → 202 SupervisorStatus   bypasses whatever is under way
 *   POST /v1/freeze    {}                 → 202 SupervisorStatus   409 if the game does not run, or something keeps it awake
 *   POST /v1/thaw      {}                 → 200 SupervisorStatus   at once; a game that is not frozen stays as it is
 *   POST /v1/rest      {}                 → 200 SupervisorStatus   409 unless the game is frozen and nothing else goes on. Then
 *                                           it listens no more, until SIGUSR2 or 15 seconds later: its sandbox is about to
 *                                           be written to disk. 404 of those that know nothing of it
 *   POST /v1/world/hold {seconds}         → 202 SupervisorStatus   has the world written and then left alone; again for longer
 *   POST /v1/world/release {}             → 200 SupervisorStatus   also by itself when the seconds are over
 *   GET  /v1/positions                    → {positions: PlayerPosition[]}   of a game that runs, asked on its console at
 *                                           most every few seconds; thaws nothing. 404 of those that know nothing of it
 *   POST /v1/manage    {method, params}   → {result}   by the game's management protocol, `operators/add` and its kin; 409
 *                                           where the console has to do it, 422 what the game refuses
 *   POST /v1/command   CommandRequest     → 204, or 409 when no game runs; thaws
 *   POST /v1/snapshot          {id}       → 202 SupervisorStatus   copies the files; one that is there already: no work
 *   POST /v1/snapshot/restore  {id}       → 202 SupervisorStatus   the files become what they were; the snapshot stays
 *   DELETE /v1/snapshot/ID                → 204                    also when there is none
 *   POST /v1/format    {keep: [path]}     → 202 SupervisorStatus   removes all files but those
 *   GET  /v1/file?path=NAME               → its text, 404 when there is none       (see `values.ts`)
 *   PUT  /v1/file?path=NAME    {text}     → 204
 *   PUT  /v1/lines     {mark, lines: [{id, text, chat?}]} → 204             tells of console lines that hold a text (see `line` below)
 *        Snapshots and formatting: 409 while the game is not down or other such work is under way. `fileWork` of the
 *        status tells how far they are, `lastFileWork` what came of the last one.
 *   …    /v1/mysql                        see `mysql.ts`
 *   GET  /v1/events?after=SEQ             → NDJSON of SupervisorEvent, spooled ones first, then live, never ending
 *   POST /v1/events/ack {seq}             → 204  events up to seq may be forgotten
 *   GET  /v1/stream (WebSocket)           → StreamMessage frames; history first
 */
import { z } from 'zod'
import type { TunnelEndpoint } from './agent-address.ts'
import { count, few, first, last, measure, moment, text } from './bounds.ts'
import { isGamePhase } from './phases.ts'
import {
  awakeReasons,
  worldHolds,
  descriptionLength,
  doorEntriesKept,
  iconLength,
  snapshotIdLength,
  snapshotsTold,
} from './values.ts'

/** Longest list of player names that is kept; more are only counted. */
export const namesKept = 200
export const nameLength = 40
/** What keeps a game awake, unknown words left out. */
const awakeSchema = first(10, z.string()).transform((reasons) =>
  awakeReasons.filter((reason) => reasons.includes(reason)),
)

/** Where a supervisor can be reached from the control plane. */
export type SupervisorEndpoint = { kind: 'unix'; path: string } | { kind: 'http'; url: string } | TunnelEndpoint

export const gameExitSchema = z.object({
  at: moment,
  code: z.int32().nullable().catch(null),
  signal: text(20).nullable(),
  /** True when somebody asked for it (stop, kill, restart, an in-game /stop with code 0). */
  expected: z.boolean(),
})
export type GameExit = z.infer<typeof gameExitSchema>

export const installProgressSchema = z.object({
  planHash: text(200),
  step: z.enum(['download', 'verify', 'extract', 'swap', 'configure']),
  packageName: text(100),
  bytesDone: measure,
  bytesTotal: measure.nullable(),
})
export type InstallProgress = z.infer<typeof installProgressSchema>

const fileWorkFields = { kind: z.enum(['snapshot', 'restore', 'format']), id: text(snapshotIdLength).nullable() }
export const fileWorkSchema = z.object({ ...fileWorkFields, bytesDone: measure, bytesTotal: measure.nullable() })
export type FileWork = z.infer<typeof fileWorkSchema>
export const lastFileWorkSchema = z.object({ ...fileWorkFields, error: text(500).nullable(), at: moment })
export type LastFileWork = z.infer<typeof lastFileWorkSchema>
/** A copy of a server's files that is whole. */
export const snapshotSchema = z.object({ id: text(snapshotIdLength), at: moment })
export type Snapshot = z.infer<typeof snapshotSchema>
/** Once a second while somebody listens, and as a sample in statuses. Sizes in bytes; cpu 1 = one whole core. */
export const serverStatsSchema = z.object({
  time: z.int(),
  cpu: measure,
  cpuLimit: measure.nullable(),
  memory: measure,
  memoryLimit: measure.nullable(),
  disk: measure,
  diskLimit: measure.nullable(),
  networkIn: measure, // bytes per second
  networkOut: measure,
  players: count(100_000),
  playersMax: count(100_000),
  /** Milliseconds per tick and ticks per second, where the engine tells. */
  tickMs: measure.nullable(),
  tps: measure.nullable(),
  /** Java's heap in bytes and the seconds that collecting garbage has taken since the start, where they are known. */
  heapUsed: measure.nullish(),
  heapMax: measure.nullish(),
  gcTime: measure.nullish(),
})
export type ServerStats = z.infer<typeof serverStatsSchema>

export const supervisorStatusSchema = z.object({
  /** Version of this answer. */
  protocol: z.int(),
  /** Versions that the supervisor speaks; from version 2 on. */
  protocols: z.object({ oldest: z.int(), newest: z.int() }).optional(),
  serverId: z.uuid(),
  version: text(40),
  /** `unknown` is one that a later version has. */
  phase: text(40).transform((phase) => (isGamePhase(phase) ? phase : ('unknown' as const))),
  /** Since when this phase lasts. */
  since: moment,
  /** Hash of the plan whose packages are in place. */
  installedPlan: text(200).nullable(),
  /** A step that is not known here is no progress. */
  install: installProgressSchema.nullable().catch(null),
  installError: text(500).nullable(),
  /** Loopback port the game listens on; null while no game process lives. */
  gamePort: z.int().nullable(),
  launchedAt: moment.nullable(),
  lastExit: gameExitSchema.nullable(),
  players: z.object({ online: count(100_000), max: count(100_000), names: first(namesKept, text(nameLength)) }),
  lastEventSeq: z.int().min(0),
  /** Bytes that the files on the volume take, as they were last measured. */
  diskBytes: measure.transform(Math.trunc).nullish(),
  /** By which version the world was saved last, as its `level.dat` says; null: there is none that tells. */
  worldVersion: z
    .object({ version: text(40).nullable(), dataVersion: z.int32().nullable() })
    .nullish()
    .catch(null),
  /** The mark of the lines that are watched for; null: none. Supervisors that do not tell know of none. */
  watchedLines: text(100).nullish().catch(null),
  /** Whether the game can be asked and told things by its management protocol now. */
  managed: z.boolean().optional().catch(undefined),
  /** What keeps a running game awake; from version 3 on. */
  awake: awakeSchema.optional(),
  /** Since when nothing does; null while something does, and while no game runs or is frozen. */
  emptySince: moment.nullish(),
  /** Whether the world is held still for somebody who reads it. */
  world: z.enum(worldHolds).optional().catch(undefined),
  /** Work on all files that is under way, and what was done last by this supervisor; no game starts meanwhile. */
  fileWork: fileWorkSchema.nullish().catch(null),
  lastFileWork: lastFileWorkSchema.nullish().catch(null),
  snapshots: first(snapshotsTold, snapshotSchema).optional(),
  /** What a running game has used since the sample before; only in answers to `GET /v1/status`, and only now and then another. */
  stats: serverStatsSchema.nullish().catch(null),
})
export type SupervisorStatus = z.infer<typeof supervisorStatusSchema>

/** Blocks; farther out than any world goes is no place. */
const coordinate = z.number().min(-3.2e7).max(3.2e7)
const playerPositionSchema = z.object({
  name: text(nameLength),
  x: coordinate,
  y: coordinate,
  z: coordinate,
  /** `minecraft:overworld`, or as a data pack calls it. */
  dimension: text(80),
})
export type PlayerPosition = z.infer<typeof playerPositionSchema>
export const positionsSchema = z.object({ positions: first(namesKept, playerPositionSchema) })

export const stopRequestSchema = z.object({ timeoutSeconds: z.number().int().min(0).max(600) })
export const commandRequestSchema = z.object({
  command: z
    .string()
    .min(1)
    .max(1000)
    .regex(/^[^\r\n\0]*$/),
})

/** Why a game crashed, as far as its last lines, its end and the files that it left tell. */
export const crashSchema = z.object({
  tag: text(60),
  details: z.record(text(60), z.union([text(500), first(50, text(200))])).catch({}),
  exit: z.object({ code: z.int32().nullable().catch(null), signal: text(20).nullable() }),
  /** Bytes of Java's heap at the end, where they are known. */
  heap: z.object({ used: measure, max: measure }).optional().catch(undefined),
})
export type CrashReport = z.infer<typeof crashSchema>

export const faceSchema = z.object({
  /** A text component, as JSON. */
  description: z
    .string()
    .max(descriptionLength)
    .transform((json) => (isJson(json) ? json : '""')),
  version: text(100),
  versionProtocol: z.int32().catch(-1),
  max: count(100_000),
  /** A data URL of a PNG image. */
  icon: z
    .string()
    .max(iconLength)
    .regex(/^data:image\/png;base64,[A-Za-z0-9+/=]*$/)
    .nullable()
    .catch(null),
})
export type Face = z.infer<typeof faceSchema>

export const doorSchema = z.object({
  /** Names in lower case; null: everybody may come in who is not banned. */
  whitelist: first(doorEntriesKept, text(nameLength)).nullable(),
  banned: first(doorEntriesKept, text(nameLength)),
  bannedAddresses: first(doorEntriesKept, text(45)),
})
export type Door = z.infer<typeof doorSchema>

function isJson(value: string): boolean {
  try {
    JSON.parse(value)
    return value.isWellFormed()
  } catch {
    return false
  }
}

const playerId = z.string().regex(/^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{1,20})$/)
const told = { seq: z.int().min(1), at: moment }

/** A durable fact about one server. `seq` grows by one without gaps, for ever, in this server's volume. */
export const supervisorEventSchema = z.discriminatedUnion('type', [
  z.object({
    ...told,
    type: z.literal('phase'),
    status: supervisorStatusSchema,
    /** The phase before; a game that runs after it was frozen has not been started. */
    from: text(40).optional(),
  }),
  z.object({ ...told, type: z.literal('installed'), planHash: text(200) }),
  z.object({
    ...told,
    type: z.literal('install_failed'),
    planHash: text(200),
    packageName: text(100),
    error: text(500),
  }),
  z.object({
    ...told,
    type: z.literal('crashed'),
    exit: gameExitSchema,
    crashCount: count(1000),
    tooManyTimes: z.boolean(),
    reasons: first(20, text(60)),
    lastLines: last(50, text(500)),
    crash: crashSchema.optional(),
  }),
  /** `id`: the UUID of a Java account, or the number of an Xbox account, where the game has told it. */
  z.object({
    ...told,
    type: z.literal('player_joined'),
    name: text(nameLength),
    id: playerId.optional().catch(undefined),
  }),
  z.object({ ...told, type: z.literal('player_left'), name: text(nameLength) }),
  /** At most one per second, when it has changed. */
  z.object({ ...told, type: z.literal('awake'), awake: awakeSchema, emptySince: moment.nullable() }),
  /** What the server list shows of a running game, when it has changed. */
  z.object({ ...told, type: z.literal('face'), ...faceSchema.shape }),
  /** Whom the game lets in by its own files, when they have changed. */
  z.object({ ...told, type: z.literal('door'), ...doorSchema.shape }),
  /** The game has printed a line that is watched for; of each kind at most one in a minute. */
  z.object({ ...told, type: z.literal('line'), id: z.uuid() }),
])
export type SupervisorEvent = z.infer<typeof supervisorEventSchema>
export const supervisorEventTypes: readonly string[] = supervisorEventSchema.options.map(
  ({ shape }) => shape.type.value,
)

/** `seq` grows by one per line over the supervisor's life and continues across its restarts. */
export const consoleLineSchema = z.object({
  seq: z.int().min(1),
  time: z.int(), // milliseconds since 1970
  stream: z.enum(['out', 'err', 'in', 'system']).catch('system'),
  text: z.string().max(64 * 1024),
})
export type ConsoleLine = z.infer<typeof consoleLineSchema>

export const streamMessageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('console'), lines: few(5_000, consoleLineSchema) }),
  z.object({ type: z.literal('stats'), stats: serverStatsSchema }),
  z.object({ type: z.literal('status'), status: supervisorStatusSchema }),
])
export type StreamMessage = z.infer<typeof streamMessageSchema>

/**
 * The file a cluster driver lays beside the supervisor at `/run/wakestone/config.json`.
 * It holds no secret: the game process in the same sandbox can read it.
 */
export const supervisorConfigSchema = z.object({
  serverId: z.uuid(),
  /** Unix socket path or TCP port to serve on. */
  listen: z.union([z.object({ socket: z.string() }), z.object({ port: z.number().int() })]),
  /** SPKI PEM of the key that signs tokens of purpose `supervisor`. */
  publicKey: z.string(),
  volume: z.string(),
  limits: z.object({
    memoryBytes: z.number().int(),
    cpu: z.number(),
    diskBytes: z.number().int(),
    players: z.number().int().nullable(),
    /** What MySQL may take of the disk; null or missing: the server has none. */
    mysqlBytes: z.number().int().nullish(),
  }),
  /** Cgroup directory whose counters belong to this sandbox, when the driver could make one. */
  cgroup: z.string().nullable(),
  /** Descriptor that the supervisor was started with: of the file through which a process enters the game's own cgroup. */
  gameCgroup: z.number().int().optional(),
  /** The same for the cgroup of MySQL. */
  mysqlCgroup: z.number().int().optional(),
  /** Whether nobody but this server reaches its loopback address: otherwise it has no MySQL. */
  ownNetwork: z.boolean().optional(),
  /** Loopback port on which the game has to listen, as players are led there; picked freely where it is missing. */
  gamePort: z.number().int().min(1).max(65535).optional(),
  /** Port on which players arrive, where only the supervisor can lead them to the game's loopback address. */
  leadPort: z.number().int().min(1).max(65535).optional(),
  /** Folder of files that were fetched for it, each named by its hash (`sha256-…`), since it cannot reach them itself. */
  downloads: z.string().optional(),
  /** Whether the volume is a file system of its own, which refuses what is more than its limit. */
  diskQuota: z.boolean().optional(),
  /**
   * Set where nothing but this server lives in the supervisor's pid namespace. `gameUser`: as whom the game runs, if not
   * as the supervisor's own user.
   */
  sandbox: z.object({ gameUser: z.object({ uid: z.number().int(), gid: z.number().int() }).nullable() }).nullish(),
})
export type SupervisorConfig = z.infer<typeof supervisorConfigSchema>
