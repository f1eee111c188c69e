/**
 * What a supervisor says of the MySQL beside its game, which is MariaDB; only of servers whose limits have it.
 *
 *   GET    /v1/mysql                      → MysqlStatus
 *   PUT    /v1/mysql/password {hash}      → 204   makes it where there is none; `*` and 40 hexadecimal digits, as MySQL
 *                                           hashes passwords. Whoever was signed in has to do so anew
 *   GET    /v1/mysql/tables               → MysqlTables
 *   GET    /v1/mysql/rows?table=&offset=  → MysqlPage
 *   GET    /v1/mysql/dump                 → its tables as statements; broken off when something goes wrong
 *   POST   /v1/mysql/import  statements   → 204, 422 with what it complains of
 *   POST   /v1/mysql/work    {kind, id}   → 202 MysqlStatus; the same kind and id again: no work, unless it has failed.
 *                                           dump: writes `.mysql.sql` into the volume; load: puts what stands there in
 *                                           the place of all tables; undo: the tables from before that load; forget:
 *                                           removes what those have left
 *   DELETE /v1/mysql                      → 204   with all tables; also when there is none
 *
 * 404 of supervisors that know nothing of it, 409 where there is none yet, 503 where it does not come up.
 */
import { z } from 'zod'
import { first, measure, text } from './bounds.ts'
import { mysqlColumns, mysqlNameLength, mysqlRows, mysqlTables, mysqlValueLength, mysqlWorks } from './values.ts'

const name = text(mysqlNameLength)
const workFields = { kind: z.enum(mysqlWorks), id: text(64) }
export const mysqlStatusSchema = z.object({
  /** Whether it was made. */
  exists: z.boolean(),
  isUp: z.boolean(),
  /** Bytes on the disk, as they were last measured. */
  bytes: measure.nullable(),
  /** It takes more than it may: nothing more can be written. */
  isFull: z.boolean(),
  work: z.object(workFields).nullable(),
  lastWork: z.object({ ...workFields, error: text(300).nullable() }).nullable(),
})
export type MysqlStatus = z.infer<typeof mysqlStatusSchema>

export const mysqlTablesSchema = z.object({
  tables: first(
    mysqlTables,
    z.object({
      name,
      isView: z.boolean(),
      /** Estimated. */
      rows: measure,
      bytes: measure,
    }),
  ),
  bytes: measure,
  isFull: z.boolean(),
})
export type MysqlTables = z.infer<typeof mysqlTablesSchema>

export const mysqlPageSchema = z.object({
  columns: first(mysqlColumns, z.object({ name, type: text(200), isKey: z.boolean() })),
  /** Values as text, cut; null stands for itself. */
  rows: first(
    mysqlRows,
    first(
      mysqlColumns,
      z
        .string()
        .transform((value) => value.slice(0, mysqlValueLength))
        .nullable(),
    ),
  ),
  hasMore: z.boolean(),
})
export type MysqlPage = z.infer<typeof mysqlPageSchema>
