/**
 * Frames of `GET /api/v1/servers/:id/console` (WebSocket, JSON text frames, query `after` = last line seen).
 * Close codes: 4401 session ended, 4403 right lost, 4404 no such server, 4503 the server's supervisor cannot be reached now.
 */
import { z } from 'zod'
import { capabilityMapSchema } from '../primitives.ts'
import { operationSchema } from './operations.ts'
import { serverStatusSchema } from './server.ts'

export const consoleLineSchema = z.object({
  seq: z.int(),
  time: z.int(),
  stream: z.enum(['out', 'err', 'in', 'system']),
  text: z.string(),
  /** So many numbers before this one are of lines that are not for people; they are not missing. */
  unshown: z.int().optional(),
})
export type ConsoleLine = z.infer<typeof consoleLineSchema>

/** Bytes; cpu 1 = one core; network in bytes per second. */
export const statsSchema = z.object({
  time: z.int(),
  cpu: z.number(),
  cpuLimit: z.number().nullable(),
  memory: z.number(),
  memoryLimit: z.number().nullable(),
  disk: z.number(),
  diskLimit: z.number().nullable(),
  networkIn: z.number(),
  networkOut: z.number(),
  players: z.int(),
  playersMax: z.int(),
  tickMs: z.number().nullable(),
  tps: z.number().nullable(),
})
export type Stats = z.infer<typeof statsSchema>

export const consoleServerFrame = z.discriminatedUnion('type', [
  z.object({ type: z.literal('console'), lines: z.array(consoleLineSchema) }),
  z.object({ type: z.literal('stats'), stats: statsSchema }),
  z.object({ type: z.literal('status'), status: serverStatusSchema }),
  /** What the watcher may do on the server, whenever that has changed. */
  z.object({ type: z.literal('access'), capabilities: capabilityMapSchema }),
  /** Something that takes longer than a request, whenever that has changed; once more when it is over. */
  z.object({ type: z.literal('operation'), operation: operationSchema }),
  /** Something was done with its files, or a job with them has begun; what the game itself writes is not told. */
  z.object({ type: z.literal('files') }),
  /** Answer to a command; `error` is a code of the catalogue. */
  z.object({ type: z.literal('command_result'), id: z.string(), error: z.string().nullable() }),
])
export type ConsoleServerFrame = z.infer<typeof consoleServerFrame>

/** A line that is typed into a console. */
export const commandLineSchema = z
  .string()
  .min(1)
  .max(1000)
  .regex(/^[^\r\n\0]*$/)
export const consoleClientFrame = z.discriminatedUnion('type', [
  z.object({ type: z.literal('command'), id: z.string().max(40), command: z.string().min(1).max(1000) }),
])
export type ConsoleClientFrame = z.infer<typeof consoleClientFrame>
