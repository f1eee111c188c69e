/**
 * Messages between the control plane and a supervisor, version 1.
 *
 * The supervisor serves HTTP on a socket that only its host can reach (see `SupervisorEndpoint`).
 * Every request carries `Authorization: Bearer <token>`, an EdDSA token of purpose `supervisor`
 * for that one server (see `tokens.ts`); a supervisor holds the public key only.
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

export const PROTOCOL_VERSION = 1

/** Where a supervisor can be reached from the control plane. */
export type SupervisorEndpoint = { kind: 'unix'; path: string } | { kind: 'http'; url: string }

/** What the game process does now. `crashed` = it ended unasked and no restart is planned. */
export const gamePhases = [
  'empty', // nothing installed yet
  'installing',
  'stopped',
  'starting', // process up, does not answer a status ping yet
  'running', // answers a status ping
  'stopping',
  'restarting', // waits for its crash back-off to pass
  'crashed',
] as const
export const gamePhaseSchema = z.enum(gamePhases)
export type GamePhase = z.infer<typeof gamePhaseSchema>

export const gameExitSchema = z.object({
  at: z.iso.datetime(),
  code: z.number().int().nullable(),
  signal: z.string().nullable(),
  /** True when somebody asked for it (stop, kill, restart, an in-game /stop with code 0). */
  expected: z.boolean(),
})
export type GameExit = z.infer<typeof gameExitSchema>

export const installProgressSchema = z.object({
  planHash: z.string(),
  step: z.enum(['download', 'verify', 'extract', 'swap', 'configure']),
  packageName: z.string(),
  bytesDone: z.number().int(),
  bytesTotal: z.number().int().nullable(),
})
export type InstallProgress = z.infer<typeof installProgressSchema>

export const supervisorStatusSchema = z.object({
  protocol: z.literal(PROTOCOL_VERSION),
  serverId: z.uuid(),
  version: z.string(),
  phase: gamePhaseSchema,
  /** Since when this phase lasts. */
  since: z.iso.datetime(),
  /** Hash of the plan whose packages are in place. */
  installedPlan: z.string().nullable(),
  install: installProgressSchema.nullable(),
  installError: z.string().nullable(),
  /** Loopback port the game listens on; null while no game process lives. */
  gamePort: z.number().int().nullable(),
  launchedAt: z.iso.datetime().nullable(),
  lastExit: gameExitSchema.nullable(),
  players: z.object({ online: z.number().int(), max: z.number().int(), names: z.array(z.string()) }),
  lastEventSeq: z.number().int(),
  /** Bytes that the files on the volume take, as they were last measured. */
  diskBytes: z.number().int().min(0).nullish(),
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

/** A durable fact about one server. `seq` grows by one without gaps, for ever, in this server's volume. */
export const supervisorEventSchema = z.discriminatedUnion('type', [
  z.object({ seq: z.number().int(), at: z.iso.datetime(), type: z.literal('phase'), status: supervisorStatusSchema }),
  z.object({ seq: z.number().int(), at: z.iso.datetime(), type: z.literal('installed'), planHash: z.string() }),
  z.object({
    seq: z.number().int(),
    at: z.iso.datetime(),
    type: z.literal('install_failed'),
    planHash: z.string(),
    packageName: z.string(),
    error: z.string(),
  }),
  z.object({
    seq: z.number().int(),
    at: z.iso.datetime(),
    type: z.literal('crashed'),
    exit: gameExitSchema,
    crashCount: z.number().int(),
    tooManyTimes: z.boolean(),
    reasons: z.array(z.string()),
    lastLines: z.array(z.string()),
  }),
  z.object({ seq: z.number().int(), at: z.iso.datetime(), type: z.literal('player_joined'), name: z.string() }),
  z.object({ seq: z.number().int(), at: z.iso.datetime(), type: z.literal('player_left'), name: z.string() }),
])
export type SupervisorEvent = z.infer<typeof supervisorEventSchema>

/** `seq` grows by one per line over the supervisor's life and continues across its restarts. */
export const consoleLineSchema = z.object({
  seq: z.number().int(),
  time: z.number().int(), // milliseconds since 1970
  stream: z.enum(['out', 'err', 'in', 'system']),
  text: z.string(),
})
export type ConsoleLine = z.infer<typeof consoleLineSchema>

/** Once a second while somebody listens. Sizes in bytes; cpu 1 = one whole core. */
export const serverStatsSchema = z.object({
  time: z.number().int(),
  cpu: z.number(),
  cpuLimit: z.number().nullable(),
  memory: z.number(),
  memoryLimit: z.number().nullable(),
  disk: z.number(),
  diskLimit: z.number().nullable(),
  networkIn: z.number(), // bytes per second
  networkOut: z.number(),
  players: z.number().int(),
  playersMax: z.number().int(),
  /** Milliseconds per tick and ticks per second, where the engine tells. */
  tickMs: z.number().nullable(),
  tps: z.number().nullable(),
})
export type ServerStats = z.infer<typeof serverStatsSchema>

export const streamMessageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('console'), lines: z.array(consoleLineSchema) }),
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
