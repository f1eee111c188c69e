import { Readable } from 'node:stream'
import { create as contentDisposition } from 'content-disposition'
import { DomainError } from '@wakestone/contract/errors'
import { mysqlImportBytes } from '@wakestone/contract/servers/mysql'
import * as routes from '@wakestone/contract/servers/mysql-routes'
import { mysqlExport, mysqlImport } from '@wakestone/contract/servers/mysql-transports'
import { findServerResource, type ServerResource } from '#src/features/servers/servers/service.ts'
import { watchServerRight } from '#src/http/held-right.ts'
import { Answer, type Api, implement } from '#src/http/implement.ts'
import type { Principal } from '#src/http/principal.ts'
import { implementTransport } from '#src/http/transports.ts'
import * as service from './service.ts'

/** More than any that fits its limit, as text. */
const mostExportBytes = 16 * 1024 ** 3
const longestExportMilliseconds = 2 * 60 * 60_000

export function registerMysqlRoutes(api: Api): void {
  const { context } = api
  const { db } = context
  const on = ({ server, user }: { server: ServerResource; user: Principal }) => ({ server, userId: user.userId })

  implement(api, routes.getMysql, ({ server }) => service.describeMysql(db, server))
  implement(
    api,
    routes.renewMysqlPassword,
    async (call) => new Answer(201, await service.renewPassword(context, on(call))),
  )
  implement(api, routes.deleteMysql, (call) => service.removeMysql(context, on(call)))
  implement(api, routes.listMysqlTables, ({ server }) => service.listTables(context, server))
  implement(api, routes.listMysqlRows, ({ server, query }) => service.listRows(context, server, query))

  /** Imports and exports that go on, by server: one at a time is what its MySQL has the memory for. */
  const open = new Set<string>()

  /** Until it is closed, or the right is lost. */
  function hold(user: Principal, serverId: string) {
    if (open.has(serverId)) throw new DomainError('too_many_requests', { resource: 'server', retry_after: 5 })
    open.add(serverId)
    const ending = new AbortController()
    const unwatch = watchServerRight(api, {
      user,
      serverId,
      capability: 'server.manage',
      onLost: () => ending.abort(),
    })
    return {
      signal: ending.signal,
      end: () => ending.abort(),
      close() {
        open.delete(serverId)
        unwatch()
      },
    }
  }

  implementTransport(api, mysqlExport, async ({ user, params, reply }) => {
    const server = await find(params.id, user.userId)
    const held = hold(user, server.id)
    reply.raw.once('close', () => {
      held.close()
      held.end()
    })
    const signal = AbortSignal.any([held.signal, AbortSignal.timeout(longestExportMilliseconds)])
    const tables = await service.exportTables(context, { server, userId: user.userId }, signal)
    const content = Readable.from(atMost(tables, mostExportBytes), { objectMode: false })
    content.on('error', () => reply.raw.destroy()) // cut off: a file that looks whole is worse
    return reply
      .headers({
        'content-type': mysqlExport.type,
        'content-disposition': contentDisposition(`${server.name}.sql`),
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'content-security-policy': 'sandbox',
      })
      .send(content)
  })

  // What comes is passed on as it comes.
  void api.app.register(async (app) => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    implementTransport({ ...api, app }, mysqlImport, async ({ user, params, request, reply }) => {
      const length = Number(request.headers['content-length'] ?? Number.NaN)
      if (!Number.isSafeInteger(length)) throw new DomainError('invalid_request', { 'content-length': 'required' })
      if (length > mysqlImportBytes) {
        void reply.header('connection', 'close')
        throw new DomainError('file_is_too_large', { resource: 'file', limit: mysqlImportBytes })
      }
      const server = await find(params.id, user.userId)
      const held = hold(user, server.id)
      reply.raw.once('close', () => held.end())
      try {
        const source = request.body as Readable
        const wanted = { source, bytes: length, signal: held.signal }
        await service.importStatements(context, { server, userId: user.userId }, wanted)
        return await reply.send({ bytes: length })
      } catch (error) {
        request.raw.unpipe()
        request.raw.resume()
        throw error
      } finally {
        held.close()
      }
    })
  })

  /** It was checked that the user may; it may have gone since. */
  async function find(serverId: string, userId: string): Promise<ServerResource> {
    const server = await findServerResource(db, serverId, userId)
    if (server === undefined) throw new DomainError('server_id_not_found', { resource: 'server' })
    return server
  }
}

/** @throws Error in the place of what is more */
async function* atMost(content: AsyncIterable<Buffer>, most: number): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of content) {
    bytes += chunk.length
    if (bytes > most) throw new Error('the tables are told without end')
    yield chunk
  }
}
