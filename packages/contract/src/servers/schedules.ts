/** What a server does by itself: at times, and after something has happened. */
import { z } from 'zod'
import { idSchema, timeSchema } from '../primitives.ts'
import { isTimeZone } from '../time-zone.ts'
import { longestCountdown } from './countdown.ts'

export const schedulesPerServer = 20
const line = z
  .string()
  .trim()
  .min(1, 'line')
  .max(500, 'line')
  .regex(/^[^\r\n\0]*$/, 'line')

/** As long as a supervisor takes it. Something that is looked for has to stand in it. */
const watchedLine = z
  .string()
  .trim()
  .min(3, 'watched_line')
  .max(200, 'watched_line')
  // oxlint-disable-next-line no-control-regex
  .regex(/^(?=.*[^\s*])[^\u0000-\u001f\u007f]*$/, 'watched_line')

export const scheduleEvents = ['started', 'crashed', 'empty'] as const
export const triggerSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('cron'),
    /** Minute, hour, day, month, day of the week. */
    expression: z
      .string()
      .trim()
      .max(100, 'cron')
      .regex(/^(\S+\s+){4}\S+$/, 'cron'),
    time_zone: z.string().max(64).refine(isTimeZone, 'time_zone'),
  }),
  z.object({ kind: z.literal('event'), event: z.enum(scheduleEvents) }),
  /**
   * The game prints a line that holds this text, in capitals or not; `*` stands for anything. At most once in a minute.
   * `chat`: also one that shows what a player has written, as far as such are known.
   */
  z.object({ kind: z.literal('line'), text: watchedLine, chat: z.boolean().default(false) }),
])

/** What has to be so when it is due; otherwise that time is left out. */
export const scheduleConditions = ['running', 'stopped', 'empty', 'players'] as const

export const stepSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('power'),
    action: z.enum(['start', 'stop', 'restart']),
    /** Of a stop or restart: how long those who play are warned before it, in seconds. */
    warning_seconds: z.int().min(0).max(longestCountdown).optional(),
  }),
  z.object({ kind: z.literal('command'), command: line }),
  z.object({ kind: z.literal('message'), text: line }),
  /** With a name for it, where it is to have one. */
  z.object({ kind: z.literal('backup'), name: line.nullable().default(null) }),
  z.object({ kind: z.literal('wait'), seconds: z.int().min(1).max(3600) }),
  z.object({ kind: z.literal('webhook'), url: z.url({ protocol: /^https?$/, error: 'url' }).max(500) }),
])
export type ScheduleStep = z.infer<typeof stepSchema>
export const stepKinds = stepSchema.options.map(({ shape }) => shape.kind.value)

export const scheduleBody = z.object({
  name: z.string().trim().min(1, 'required').max(60),
  enabled: z.boolean().default(true),
  trigger: triggerSchema,
  conditions: z.array(z.enum(scheduleConditions)).max(4).default([]),
  steps: z.array(stepSchema).min(1, 'required').max(20),
})
export type ScheduleBody = z.input<typeof scheduleBody>

export const runStates = ['running', 'done', 'failed', 'skipped'] as const
export const scheduleRunSchema = z.object({
  id: idSchema,
  /** `time`, `asked`, `line`, or an event of `scheduleEvents`. */
  cause: z.string(),
  state: z.enum(runStates),
  started_at: timeSchema,
  ended_at: timeSchema.nullable(),
  /** The step that it is at, or at which it failed; from 1 on. */
  step: z.int(),
  /** A code of the catalogue, or what a webhook answered. */
  error: z.string().nullable(),
})
export const scheduleSchema = scheduleBody.extend({
  id: idSchema,
  enabled: z.boolean(),
  conditions: z.array(z.enum(scheduleConditions)),
  /** The next times, if it is enabled and goes by the clock. */
  next_runs: z.array(timeSchema),
  /** Newest first. */
  last_runs: z.array(scheduleRunSchema),
})
export type Schedule = z.infer<typeof scheduleSchema>
