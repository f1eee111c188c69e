/** The MySQL beside a game, through its supervisor; see `@wakestone/protocol/mysql`. All that comes is a customer's word. */
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import {
  type MysqlPage,
  mysqlPageSchema,
  type MysqlStatus,
  mysqlStatusSchema,
  type MysqlTables,
  mysqlTablesSchema,
} from '@wakestone/protocol/mysql'
import type { SupervisorEndpoint } from '@wakestone/protocol/supervisor'
import type { MysqlWork } from '@wakestone/protocol/values'
import type { z } from 'zod'
import { SupervisorError } from './errors.ts'
import { createTransport } from './transport.ts'

/** It may have to come up first, and to mend what a kill has left. */
const patienceMilliseconds = 90_000

export type MysqlClient = ReturnType<typeof createMysqlClient>

export function createMysqlClient(options: {
  endpoint: SupervisorEndpoint
  authorization: () => string
  closing: AbortSignal
}) {
  const { call, read, pour } = createTransport({ ...options, deadline: patienceMilliseconds })
  const path = '/v1/mysql'
  return {
    status: async (): Promise<MysqlStatus> => check(mysqlStatusSchema, await call('GET', path)),
    /** @param hash `*` and 40 hexadecimal digits */
    async setPassword(hash: string): Promise<void> {
      await call('PUT', `${path}/password`, { hash })
    },
    tables: async (): Promise<MysqlTables> => check(mysqlTablesSchema, await call('GET', `${path}/tables`)),
    async rows({ table, offset }: { table: string; offset: number }): Promise<MysqlPage> {
      const query = new URLSearchParams({ table, offset: String(offset) })
      return check(mysqlPageSchema, await call('GET', `${path}/rows?${query}`))
    },
    dump: (signal: AbortSignal): Promise<IncomingMessage> => read(`${path}/dump`, signal),
    /** @throws SupervisorError with status 422 and what MariaDB says of a statement */
    load: (source: Readable, signal: AbortSignal): Promise<void> => pour('POST', `${path}/import`, source, signal),
    work: async (kind: MysqlWork, id: string): Promise<MysqlStatus> =>
      check(mysqlStatusSchema, await call('POST', `${path}/work`, { kind, id })),
    async remove(): Promise<void> {
      await call('DELETE', path)
    },
  }
}

function check<Schema extends z.ZodType>(schema: Schema, answer: unknown): z.output<Schema> {
  const checked = schema.safeParse(answer)
  if (!checked.success)
    throw new SupervisorError('unreadable', `no answer of MySQL: ${checked.error.issues[0]?.path.join('.')}`)
  return checked.data
}
