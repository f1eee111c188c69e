/**
 * What the control plane and an agent say to each other, by HTTPS on the agent's port. Every request carries a token of
 * purpose `manage` for this agent; what leads players and files is in `@wakestone/protocol/tunnel`.
 *
 *   POST /v1/NAME          JSON → JSON, as `calls` has it · 500 {error}: it was tried in vain
 *   POST /v1/task          TaskOrder → NDJSON of TaskMessage, until it has ended; it is ended with the connection
 *   POST /v1/task/ID/cancel              → 204
 *   GET  /v1/watch                       → NDJSON of ClusterEvent and pings, never ending
 *   GET  /v1/downloads/NAME              → 204, or 404 where it is not there
 *   PUT  /v1/downloads/NAME  bytes       → 204; refused unless its hash is in its name
 *   GET  /v1/tools/HASH                  → 204 or 404
 *   PUT  /v1/tools/HASH  tar             → 204
 *   PUT  /v1/folders/ID  tar             → 204; a folder for one task
 *   GET  /v1/folders/ID                  → tar: what it has become
 *   DELETE /v1/folders/ID                → 204
 *
 * What an agent answers is read by schemas with bounds: whoever has broken into its machine speaks for it.
 */
import { few, measure, text } from '@wakestone/protocol/bounds'
import { installPlanSchema } from '@wakestone/packager/manifest'
import { z } from 'zod'

const serverId = z.uuid()
const limits = z.object({
  memoryBytes: z.number().int().min(0),
  cpu: z.number().min(0),
  diskBytes: z.number().int().min(0),
  players: z.number().int().nullable(),
  mysqlBytes: z.number().int().nullish(),
})
const ofServer = z.object({ serverId })
const nothing = z.object({})
const mostServers = 20_000
const serverIds = few(mostServers, serverId)

/** Ports below 1024 belong to services of the machine. */
const gamePort = z.number().int().min(1024).max(65_535)
const placementSchema = z.discriminatedUnion('state', [
  z.object({ state: z.literal('absent') }),
  z.object({ state: z.literal('running'), gamePort }),
  z.object({ state: z.literal('exited'), inOrder: z.boolean() }),
])

const amount = measure
const share = z.object({ total: amount, free: amount.nullable() })
const checked = z.object({ ok: z.boolean(), problems: few(50, text(500)) })

/** What is asked and what is answered. */
export const calls = {
  check: { body: nothing, answer: checked },
  place: { body: z.object({ serverId, limits }), answer: z.object({ gamePort }) },
  inspect: { body: ofServer, answer: placementSchema },
  provide: { body: z.object({ serverId, plan: installPlanSchema }), answer: nothing },
  'game-is-gone': { body: ofServer, answer: z.object({ gone: z.boolean() }) },
  'end-game': { body: ofServer, answer: z.object({ ended: z.enum(['gone', 'ended with its supervisor']) }) },
  'give-back-memory': { body: ofServer, answer: z.object({ bytes: amount.nullable() }) },
  'grow-disk': {
    body: z.object({ serverId, diskBytes: z.number().int().min(0) }),
    answer: z.object({ grown: z.boolean() }),
  },
  'open-files': { body: z.object({ serverId, limits }), answer: nothing },
  'close-boxes': { body: ofServer, answer: nothing },
  remove: { body: z.object({ serverId, volume: z.enum(['keep', 'delete']) }), answer: nothing },
  list: { body: nothing, answer: z.object({ serverIds }) },
  capacity: {
    body: nothing,
    answer: z.object({ memory: share, storage: share.nullable(), cores: amount, load: amount.nullable() }),
  },
  'stop-all': { body: z.object({ timeoutSeconds: z.number().min(0).max(600) }), answer: nothing },
} as const
export type CallName = keyof typeof calls
export type CallBody<Name extends CallName> = z.input<(typeof calls)[Name]['body']>
export type CallAnswer<Name extends CallName> = z.output<(typeof calls)[Name]['answer']>

const shown = z.string().regex(/^[a-z0-9][a-z0-9._-]{0,39}$/)
export const folderId = z.string().regex(/^[0-9a-f]{32}$/)
export const hashName = z.string().regex(/^[0-9a-f]{32}$/)
export const downloadName = z.string().regex(/^(sha1-[0-9a-f]{40}|sha256-[0-9a-f]{64}|sha512-[0-9a-f]{128})$/)

export const taskOrderSchema = z.object({
  serverId,
  task: z.object({
    name: z.string().regex(/^[a-z][a-z-]{0,19}$/),
    command: z
      .array(z.string().max(128 * 1024))
      .min(1)
      .max(1_000),
    volume: z.enum(['none', 'read', 'write']),
    env: z.record(z.string(), z.string()).optional(),
    network: z.enum(['none', 'host']),
    memoryBytes: z.number().int().min(1),
    stdin: z.string().optional(),
  }),
  /** Files and folders that were brought there, by their names. */
  tools: z.array(z.object({ name: shown, hash: hashName })).max(50),
  /** Folders that were brought for this task, or else the server's own of that name, which are kept there. */
  folders: z.array(z.object({ name: shown, write: z.boolean(), brought: folderId.nullable() })).max(20),
})
export type TaskOrder = z.infer<typeof taskOrderSchema>

/** Lines are cut at 64 KiB where they are written; what is no such message ends the task for whoever hears it. */
export const taskMessageSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('began'), id: z.string().regex(/^[0-9a-f]{16}$/) }),
  z.object({ kind: z.literal('line'), stream: z.enum(['out', 'err']), text: z.string().max(64 * 1024) }),
  z.object({
    kind: z.literal('end'),
    code: z.number().int().min(0).max(255).nullable(),
    signal: z
      .string()
      .regex(/^SIG[A-Z0-9]{1,12}$/)
      .nullable(),
    outOfMemory: z.boolean(),
  }),
  z.object({ kind: z.literal('failed'), error: text(1_000) }),
])
export type TaskMessage = z.infer<typeof taskMessageSchema>

export const watchMessageSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('listed'), serverIds }),
  z.object({ kind: z.literal('changed'), serverId }),
  z.object({ kind: z.literal('ping') }),
])
/** So often an agent says that it is there. */
export const pingMilliseconds = 5_000
