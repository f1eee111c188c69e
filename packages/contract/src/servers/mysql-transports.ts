/** The tables of a server's MySQL as statements, in both directions. */
import { z } from 'zod'
import { idSchema } from '../primitives.ts'
import type { TransportSpec } from '../transport.ts'
import { mysqlErrors } from './mysql-errors.ts'

const ofServer = {
  kind: 'bytes',
  tag: 'MySQL',
  access: { kind: 'server', param: 'id', capability: 'server.manage' },
  keyScope: 'access',
  params: z.object({ id: idSchema }),
} as const

export const mysqlExport = {
  ...ofServer,
  method: 'GET',
  path: '/api/v1/servers/:id/mysql/export',
  summary: 'Export all tables as SQL, as of a single moment. The export is streamed.',
  type: 'application/sql',
  errors: [...mysqlErrors, 'resource_not_found'],
} as const satisfies TransportSpec
/** The body is text, at most `mysqlImportBytes`. What came before a statement that is refused stays done. */
export const mysqlImport = {
  ...ofServer,
  method: 'POST',
  path: '/api/v1/servers/:id/mysql/import',
  summary: 'Run SQL statements with the game’s privileges. If one is refused, those before it stay applied.',
  type: 'application/json',
  takes: 'application/sql',
  answer: z.object({ bytes: z.number() }),
  errors: [...mysqlErrors, 'resource_not_found', 'mysql_refused', 'file_is_too_large', 'invalid_request'],
} as const satisfies TransportSpec
