/** Files of data as trees to look at: NBT, the chunks of a region, the tables of an SQLite database. */
import { z } from 'zod'
import { filePathSchema } from './files.ts'

export const fileTreeQuery = z.object({
  path: filePathSchema,
  /** Of a region file: one chunk, `x,z` within it. */
  chunk: z
    .string()
    .regex(/^\d{1,2},\d{1,2}$/)
    .optional(),
  /** Of a database: rows of one table, from one on. */
  table: z.string().min(1).max(1000).optional(),
  from: z.coerce.number().int().min(0).max(1e12).default(0),
})

/** `value` of what holds nothing else (arrays: their first numbers), `size` and `nodes` of what does; `size` counts those left out, too. */
export type FileTreeNode = {
  name: string
  type: string
  value?: string | undefined
  size?: number | undefined
  nodes?: FileTreeNode[] | undefined
}
const nodeSchema: z.ZodType<FileTreeNode> = z.object({
  name: z.string(),
  type: z.string(),
  value: z.string().optional(),
  size: z.number().optional(),
  get nodes() {
    return z.array(nodeSchema).optional()
  },
})
const place = { x: z.int(), z: z.int() }

export const fileTreeSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('nbt'),
    edition: z.enum(['java', 'bedrock']),
    compression: z.enum(['none', 'gzip', 'zlib']),
    root: nodeSchema,
    /** There is more than is told. */
    truncated: z.boolean(),
  }),
  z.object({
    kind: z.literal('region'),
    /** `written_at`: milliseconds since 1970; null where the file does not say. */
    chunks: z.array(z.object({ ...place, bytes: z.number(), written_at: z.number().nullable() })),
    damaged: z.array(z.object(place)),
  }),
  z.object({ kind: z.literal('tables'), tables: z.array(z.object({ name: z.string(), rows: z.number() })) }),
  z.object({
    kind: z.literal('rows'),
    table: z.string(),
    columns: z.array(z.string()),
    /** Cells as text; null: NULL. */
    rows: z.array(z.array(z.string().nullable())),
    from: z.number(),
    total: z.number(),
  }),
])
export type FileTree = z.infer<typeof fileTreeSchema>
