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
  summary: 'All tables as statements of SQL, as they were at one moment; made while it goes',
  type: 'application/sql',
  errors: [...mysqlErrors, 'resource_not_found'],
} as const satisfies TransportSpec
/** The body is text, at most `mysqlImportBytes`. What came before a statement that is refused stays done. */
export const mysqlImport = {
  ...ofServer,
  method: 'POST',
  path: '/api/v1/servers/:id/mysql/import',
  summary: 'Run statements of SQL, with the rights that the game has',
  type: 'application/json',
  takes: 'application/sql',
  answer: z.object({ bytes: z.number() }),
  errors: [...mysqlErrors, 'resource_not_found', 'mysql_refused', 'file_is_too_large', 'invalid_request'],
} as const satisfies TransportSpec
