import { z } from 'zod'
import { timeSchema } from '../primitives.ts'
import { engineIds } from './server.ts'

/** A path within the server's files. */
const innerPath = z
  .string()
  .min(1)
  .max(255)
  .regex(/^(?!\/)(?!.*(^|\/)\.{1,2}(\/|$))[^\\\0]+$/, 'path')
const keepFiles = z.array(innerPath).max(50).default([])

export const changeEngineBody = z.object({
  engine: z.enum(engineIds),
  /** The latest of the engine where missing. */
  version: z.string().min(1).max(32).optional(),
  /** What stays when the files are deleted. */
  keep_files: keepFiles,
  /** All files stay. */
  ignore_format: z.boolean().default(false),
  /** No copy of the files is kept, so that there is no way back. */
  ignore_backup: z.boolean().default(false),
})
export type ChangeEngineBody = z.input<typeof changeEngineBody>

export const serverEngineSchema = z.object({
  engine: z.enum(engineIds),
  version: z.string(),
  /** The state before the last change of the engine, or before the files were deleted, for as long as it is kept. */
  back: z.object({ engine: z.enum(engineIds), version: z.string(), from: timeSchema, until: timeSchema }).nullable(),
})

/** An empty body deletes everything and keeps a copy. */
export const formatBody = z
  .object({ keep_files: keepFiles, ignore_backup: z.boolean().default(false) })
  .default({ keep_files: [], ignore_backup: false })
