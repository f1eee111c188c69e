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
  summary: 'Get whether a server has MySQL, and where its game can reach it',
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
  summary:
    'Create a new MySQL password, and the database if there is none. The old password and its connections end at once.',
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
  summary: 'Delete a server’s MySQL database with all its tables',
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
  summary: 'List up to 500 tables and the space MySQL takes. MySQL is started for this if the game is off.',
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
  summary: 'List up to 50 rows of a table, from `offset` on',
  access: manage,
  keyScope: 'access',
  params,
  query: mysqlRowsQuery,
  responses: { 200: mysqlRowsSchema },
  errors: [...mysqlErrors, 'resource_not_found', 'mysql_refused'],
})
