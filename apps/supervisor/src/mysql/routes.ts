/** `/v1/mysql`; see `@wakestone/protocol/mysql`. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { mysqlNameLength, mysqlWorks, type MysqlWork } from '@wakestone/protocol/values'
import { RequestError } from '../request-error.ts'
import { StatementError } from './client.ts'
import { type Mysql, MysqlAway, NoMysql } from './mysql.ts'

type Answer = { status: number; body?: object }
type Exchange = {
  mysql: Mysql
  request: IncomingMessage
  response: ServerResponse
  url: URL
  readJson: () => Promise<Record<string, unknown>>
}

const routes: Record<string, (exchange: Exchange) => Promise<Answer | undefined> | Answer> = {
  'GET /v1/mysql': ({ mysql }) => ({ status: 200, body: mysql.status() }),
  async 'PUT /v1/mysql/password'({ mysql, readJson }) {
    const { hash } = await readJson()
    if (typeof hash !== 'string' || !/^\*[0-9A-F]{40}$/.test(hash)) throw new RequestError(400, 'bad hash')
    await mysql.renew(hash)
    return { status: 204 }
  },
  'GET /v1/mysql/tables': async ({ mysql }) => ({ status: 200, body: await mysql.tables() }),
  async 'GET /v1/mysql/rows'({ mysql, url }) {
    const table = url.searchParams.get('table') ?? ''
    const offset = url.searchParams.get('offset') ?? '0'
    if (table === '' || table.length > mysqlNameLength || !/^\d{1,9}$/.test(offset))
      throw new RequestError(400, 'bad table')
    return { status: 200, body: await mysql.page({ table, offset: Number(offset) }) }
  },
  async 'GET /v1/mysql/dump'({ mysql, response }) {
    const gone = new AbortController()
    response.on('close', () => gone.abort())
    await mysql.dump(async (content) => {
      response.writeHead(200, { 'content-type': 'application/sql' })
      await pipeline(content, response, { end: false })
    }, gone.signal)
    response.end()
    return undefined
  },
  async 'POST /v1/mysql/import'({ mysql, request, response }) {
    const gone = new AbortController()
    response.on('close', () => response.writableEnded || gone.abort())
    await mysql.load(request, gone.signal)
    return { status: 204 }
  },
  async 'POST /v1/mysql/work'({ mysql, readJson }) {
    const { kind, id } = await readJson()
    if (!mysqlWorks.includes(kind as MysqlWork) || typeof id !== 'string' || !/^[\w-]{1,64}$/.test(id))
      throw new RequestError(400, 'bad work')
    if (!mysql.work(kind as MysqlWork, id)) throw new RequestError(409, 'other work is under way')
    return { status: 202, body: mysql.status() }
  },
  async 'DELETE /v1/mysql'({ mysql }) {
    await mysql.remove()
    return { status: 204 }
  },
}

/** @returns undefined where it has been answered. @throws RequestError */
export async function answerMysql(name: string, exchange: Exchange): Promise<Answer | undefined> {
  const route = routes[name]
  if (route === undefined) throw new RequestError(404, 'no such route')
  try {
    return await route(exchange)
  } catch (error) {
    if (error instanceof NoMysql) throw new RequestError(409, error.message)
    if (error instanceof MysqlAway) throw new RequestError(503, error.message)
    if (error instanceof StatementError) throw new RequestError(422, error.message)
    throw error
  }
}
