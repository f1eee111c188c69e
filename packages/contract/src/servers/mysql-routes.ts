/** MySQL of a server. No key may call what makes a password: it would outlive the key. */
import { z } from 'zod'
import { idSchema } from '../primitives.ts'
import { defineRoute } from '../route.ts'
import { mysqlPasswordSchema, mysqlRowsQuery, mysqlRowsSchema, mysqlSchema, mysqlTablesSchema } from './mysql.ts'
import { mysqlErrors } from './mysql-errors.ts'

const tag = 'MySQL'
const params = z.object({ id: idSchema })
const manage = { kind: 'server', param: 'id', capability: 'server.manage' } as const

export const getMysql = defineRoute({
  method: 'GET',
  path: '/servers/:id/mysql',
  tag,
  summary: 'Whether a server has MySQL, and where its game reaches it',
  access: { ...manage, capability: 'server.manage.read' },
  keyScope: 'access',
  params,
  responses: { 200: mysqlSchema },
  errors: ['server_id_not_found', 'insufficient_capabilities'],
})
export const renewMysqlPassword = defineRoute({
  method: 'POST',
  path: '/servers/:id/mysql',
  tag,
  summary: 'Make MySQL where there is none yet, and its password; the one before and its connections end at once',
  access: manage,
  stepUp: true,
  params,
  responses: { 201: mysqlPasswordSchema },
  errors: mysqlErrors,
})
export const deleteMysql = defineRoute({
  method: 'DELETE',
  path: '/servers/:id/mysql',
  tag,
  summary: 'Delete MySQL with all tables',
  access: manage,
  stepUp: true,
  params,
  responses: { 204: null },
  errors: mysqlErrors,
})
export const listMysqlTables = defineRoute({
  method: 'GET',
  path: '/servers/:id/mysql/tables',
  tag,
  summary: 'The tables, at most 500, and how much MySQL takes; it comes up for that while the game is off',
  access: manage,
  keyScope: 'access',
  params,
  responses: { 200: mysqlTablesSchema },
  errors: [...mysqlErrors, 'resource_not_found'],
})
export const listMysqlRows = defineRoute({
  method: 'GET',
  path: '/servers/:id/mysql/rows',
  tag,
  summary: 'Rows of a table, at most 50 from `offset` on',
  access: manage,
  keyScope: 'access',
  params,
  query: mysqlRowsQuery,
  responses: { 200: mysqlRowsSchema },
  errors: [...mysqlErrors, 'resource_not_found', 'mysql_refused'],
})
