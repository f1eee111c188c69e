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
 *   POST /v1/command   CommandRequest     → 204, or 409 when no game runs
 *   GET  /v1/events?after=SEQ             → NDJSON of SupervisorEvent, spooled ones first, then live, never ending
 *   POST /v1/events/ack {seq}             → 204  events up to seq may be forgotten
 *   GET  /v1/stream (WebSocket)           → StreamMessage frames; history first
 */
import { z } from 'zod'
import { count, few, first, last, measure, moment, text } from './bounds.ts'
import { isGamePhase } from './phases.ts'

/** Longest list of player names that is kept; more are only counted. */
export const namesKept = 200
export const nameLength = 40

/** Where a supervisor can be reached from the control plane. */
export type SupervisorEndpoint = { kind: 'unix'; path: string } | { kind: 'http'; url: string }

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
})
export type SupervisorStatus = z.infer<typeof supervisorStatusSchema>

export const stopRequestSchema = z.object({ timeoutSeconds: z.number().int().min(0).max(600) })
export const commandRequestSchema = z.object({
  command: z
    .string()
    .min(1)
    .max(1000)
    .regex(/^[^\r\n\0]*$/),
})

const told = { seq: z.int().min(1), at: moment }

/** A durable fact about one server. `seq` grows by one without gaps, for ever, in this server's volume. */
export const supervisorEventSchema = z.discriminatedUnion('type', [
  z.object({ ...told, type: z.literal('phase'), status: supervisorStatusSchema }),
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
  }),
  z.object({ ...told, type: z.literal('player_joined'), name: text(nameLength) }),
  z.object({ ...told, type: z.literal('player_left'), name: text(nameLength) }),
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

/** Once a second while somebody listens. Sizes in bytes; cpu 1 = one whole core. */
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
})
export type ServerStats = z.infer<typeof serverStatsSchema>

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
  }),
  /** Cgroup directory whose counters belong to this sandbox, when the driver could make one. */
  cgroup: z.string().nullable(),
  /** Loopback port on which the game has to listen, as players are led there; picked freely where it is missing. */
  gamePort: z.number().int().min(1).max(65535).optional(),
  /**
   * Set where nothing but this server lives in the supervisor's pid namespace. `gameUser`: as whom the game runs, if not
   * as the supervisor's own user.
   */
  sandbox: z.object({ gameUser: z.object({ uid: z.number().int(), gid: z.number().int() }).nullable() }).nullish(),
})
export type SupervisorConfig = z.infer<typeof supervisorConfigSchema>
