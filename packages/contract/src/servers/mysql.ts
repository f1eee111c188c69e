/** MySQL of a server: MariaDB within the server's walls, reached by its game and by nobody else. */
import { z } from 'zod'
import { timeSchema } from '../primitives.ts'

/** What an import takes at most. */
export const mysqlImportBytes = 2 * 1024 ** 3

export const mysqlSchema = z.object({
  /** Null: there is none yet. */
  created_at: timeSchema.nullable(),
  password_created_at: timeSchema.nullable(),
  /** Bytes that it may take, which count towards the server's storage; 0: the plan has none. */
  limit: z.int(),
  /** As the game reaches it. */
  host: z.string(),
  port: z.int(),
  database: z.string(),
  username: z.string(),
})
export type Mysql = z.infer<typeof mysqlSchema>

/** The one answer that holds the password itself. */
export const mysqlPasswordSchema = z.object({
  host: z.string(),
  port: z.int(),
  database: z.string(),
  username: z.string(),
  password: z.string(),
  created_at: timeSchema,
})

export const mysqlTablesSchema = z.object({
  tables: z.array(
    z.object({
      name: z.string(),
      is_view: z.boolean(),
      /** Estimated. */
      rows: z.number(),
      bytes: z.number(),
    }),
  ),
  /** On the disk, with all that MySQL needs itself. */
  bytes: z.number(),
  limit: z.int(),
  /** It takes more than it may: rows can be read and deleted, not written. */
  is_full: z.boolean(),
})
export type MysqlTables = z.infer<typeof mysqlTablesSchema>

export const mysqlRowsQuery = z.object({
  table: z.string().min(1).max(64),
  offset: z.coerce.number().int().min(0).max(999_999_999).default(0),
})
export const mysqlRowsSchema = z.object({
  columns: z.array(z.object({ name: z.string(), type: z.string(), is_key: z.boolean() })),
  /** Values as text, cut after 500 characters; of bytes as `0x…`. Null stands for itself. */
  rows: z.array(z.array(z.string().nullable())),
  /** Where the next page begins; null: there is none. */
  next_offset: z.int().nullable(),
})
export type MysqlRows = z.infer<typeof mysqlRowsSchema>
