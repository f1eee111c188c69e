/**
 * A subset of Pterodactyl's client API at `/api/client`, so that apps and bots that were written for it go on. Each call
 * becomes calls of our own API within the process, with the same key: rights, scopes, limits and events are that one's.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { type ApiClient, ApiError, createApiClient, pathOf } from '@wakestone/contract/client'
import { errorBodySchema } from '@wakestone/contract/errors'
import { listUserServers, verify } from '@wakestone/contract/accounts/users-routes'
import { createBackup, deleteBackup, listBackups } from '@wakestone/contract/servers/backups-routes'
import * as files from '@wakestone/contract/servers/files-routes'
import { getStatsHistory } from '@wakestone/contract/servers/history-routes'
import type { Server } from '@wakestone/contract/servers/server'
import * as servers from '@wakestone/contract/servers/servers-routes'
import { publicUrl } from '@wakestone/kit/settings'
import type { Api } from '#src/http/implement.ts'
import { noteError } from '#src/http/errors.ts'
import { callWithin } from '#src/http/web-visit.ts'
import { ClientFault, faultBody, faultOf, invalid, notFound, unauthenticated } from './faults.ts'
import * as shapes from './shapes.ts'

const prefix = '/api/client'
/** What an editor of theirs opens and saves; ours would take more. */
const textBytes = 4 * 1024 * 1024
const pageSizes = { usual: 50, most: 100 }
const stopSeconds = 120

type Visit = { call: ApiClient; userId: string; raw: Raw }
type Raw = (given: {
  method: 'GET' | 'PUT'
  url: string
  body?: Buffer
}) => Promise<{ status: number; body: Buffer; json: () => unknown; type: string }>

export function registerPterodactylApi(api: Api): void {
  void api.app.register(
    async (scope) => {
      scope.setErrorHandler((error, request, reply) => refuse(error, request, reply))
      scope.setNotFoundHandler((_request, reply) => send(reply, notFound().fault))
      registerServers(api, scope)
      registerFiles(api, scope)
      registerBackups(api, scope)
      await scope.register(async (inner) => registerWriting(api, inner))
    },
    { prefix },
  )
}

function refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const fault = faultOf(error)
  if (fault !== undefined) return send(reply, fault)
  if (error instanceof z.ZodError) {
    const field = error.issues[0]?.path.join('.') ?? ''
    return send(reply, invalid(field, error.issues[0]?.code ?? 'invalid', `The ${field} field is invalid.`).fault)
  }
  const { status } = noteError(error, request)
  return send(reply, {
    status,
    code: 'HttpException',
    detail: 'An unexpected error was encountered while processing this request, please try again.',
  })
}

function send(reply: FastifyReply, fault: ClientFault['fault']): FastifyReply {
  if (fault.wait !== undefined) void reply.header('retry-after', fault.wait)
  return reply.status(fault.status).type('application/json').send(faultBody(fault))
}

/** @throws ClientFault without a key; DomainError for one that is none */
async function openVisit(api: Api, request: FastifyRequest): Promise<Visit> {
  const authorization = request.headers.authorization ?? ''
  const key = /^bearer\s+(.*)$/i.exec(authorization)?.[1]
  if (key === undefined) throw unauthenticated()
  const { userId } = await api.principals.findByKey({ key, ip: request.ip })
  const userAgent = request.headers['user-agent'] ?? ''
  const { transport } = callWithin(api, { cookie: '', ip: request.ip, userAgent, authorization })
  const raw: Raw = async ({ method, url, body }) => {
    const answer = await api.app.inject({
      method,
      url,
      headers: { authorization, 'user-agent': userAgent, 'content-type': 'application/octet-stream' },
      remoteAddress: request.ip,
      ...(body !== undefined && { payload: body }),
    })
    const type = String(answer.headers['content-type'] ?? 'application/octet-stream')
    return { status: answer.statusCode, body: answer.rawPayload, json: () => answer.json() as unknown, type }
  }
  return { call: createApiClient(transport), userId, raw }
}

const isUuid = (text: string) => z.uuid().safeParse(text).success

/** By the first eight characters of its id, or by all of them. @throws ClientFault for one that the caller may not know of */
async function findServer({ call, userId }: Visit, request: FastifyRequest): Promise<Server> {
  const { server: name } = request.params as { server: string }
  if (isUuid(name)) return call(servers.getServer, { params: { id: name.toLowerCase() } })
  const found = (await call(listUserServers, { params: { id: userId } })).filter(
    (server) => shapes.identifierOf(server) === name.toLowerCase(),
  )
  // Two of one customer that begin alike are told apart by their whole ids.
  if (found.length !== 1) throw notFound()
  return found[0]!
}

/** What a route does once it is known who asks. */
type Handler = (visit: Visit, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
type OnServer = (visit: Visit & { server: Server }, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

const within =
  (api: Api, handler: Handler) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> =>
    handler(await openVisit(api, request), request, reply)
const onServer = (api: Api, handler: OnServer) =>
  within(api, async (visit, request, reply) => {
    const server = await findServer(visit, request)
    return handler({ ...visit, server }, request, reply)
  })
const nothing = (reply: FastifyReply) => reply.status(204).send()

const pageQuery = z.object({
  page: z.coerce.number().int().min(1).default(1),
  per_page: z.coerce.number().int().min(1).max(pageSizes.most).default(pageSizes.usual),
})
const powerBody = z.object({ signal: z.enum(['start', 'stop', 'restart', 'kill']) })

const sameState: ReadonlySet<string> = new Set([
  'server_is_running',
  'server_is_not_running',
  'server_is_not_stopped',
  'game_process_already_started',
  'server_has_not_pod',
])

async function changePower(call: ApiClient, { id }: Server, signal: z.output<typeof powerBody>['signal']) {
  const params = { id }
  if (signal === 'start') await call(servers.startServer, { params })
  else if (signal === 'kill') await call(servers.killServer, { params })
  else if (signal === 'stop') await call(servers.stopServer, { params, query: { timeout: stopSeconds } })
  else await call(servers.restartServer, { params, query: { timeout: stopSeconds } })
}

function registerServers(api: Api, scope: FastifyInstance): void {
  const { settings } = api.context
  const place = (userId: string) => ({
    userId,
    sftp: { host: new URL(publicUrl(settings)).hostname, port: settings.SFTP_PORT },
  })
  const url = `${publicUrl(settings)}${prefix}`

  scope.get(
    '/',
    within(api, async ({ call, userId }, request) => {
      const { page, per_page: perPage } = pageQuery.parse(request.query)
      const own = await call(listUserServers, { params: { id: userId } })
      return shapes.pageOf(
        own.map((server) => shapes.serverOf(server, place(userId))),
        { page, perPage, url },
      )
    }),
  )
  scope.get(
    '/account',
    within(api, async ({ call }) => shapes.accountOf(await call(verify, { query: { simple: '1' } }))),
  )
  scope.get(
    '/servers/:server',
    onServer(api, async ({ server, userId }) => ({
      ...shapes.serverOf(server, place(userId)),
      meta: {
        is_server_owner: server.owner_id === userId,
        user_permissions: server.owner_id === userId ? ['*'] : shapes.permissionsOf(server.user_capabilities),
      },
    })),
  )
  scope.get(
    '/servers/:server/resources',
    onServer(api, async ({ call, server }) => {
      const history = await call(getStatsHistory, { params: { id: server.id }, query: { span: 'hour' } })
      return shapes.statsOf(server, history, Date.now())
    }),
  )
  scope.post(
    '/servers/:server/power',
    onServer(api, async ({ call, server }, request, reply) => {
      const { signal } = powerBody.parse(request.body ?? {})
      await changePower(call, server, signal).catch((error: unknown) => {
        // Theirs are taken in whatever state it is: who starts what is up has what they want.
        if (!(error instanceof ApiError && sameState.has(error.body.error))) throw error
      })
      return nothing(reply)
    }),
  )
  scope.post(
    '/servers/:server/command',
    onServer(api, async ({ call, server }, request, reply) => {
      const body = z.object({ command: z.string().min(1) }).parse(request.body ?? {})
      await call(servers.sendServerCommand, { params: { id: server.id }, body })
      return nothing(reply)
    }),
  )
  scope.get(
    '/servers/:server/websocket',
    onServer(api, async () => {
      throw new ClientFault({
        status: 501,
        code: 'HttpException',
        detail: 'Consoles are followed at /api/v1/servers/{id}/console here, with the same key.',
      })
    }),
  )
}

/** A path as theirs are, which begin with `/` at the server's own folder. */
const pathOfText = (text: string) =>
  text
    .split('/')
    .filter((name) => name !== '' && name !== '.')
    .join('/')
const below = (root: string, name: string) => pathOfText(`${root}/${name}`)

const filesBody = z.object({ root: z.string().default('/'), files: z.array(z.string().min(1)).min(1).max(1000) })
const renameBody = z.object({
  root: z.string().default('/'),
  files: z
    .array(z.object({ from: z.string().min(1), to: z.string().min(1) }))
    .min(1)
    .max(100),
})
const folderBody = z.object({ root: z.string().default('/'), name: z.string().min(1) })
const fileQuery = z.object({ file: z.string().min(1) })

function registerFiles(api: Api, scope: FastifyInstance): void {
  scope.get(
    '/servers/:server/files/list',
    onServer(api, async ({ raw, server }, request) => {
      const { directory } = z.object({ directory: z.string().default('/') }).parse(request.query)
      const query = { path: pathOfText(directory), hidden: '1' }
      const answer = await raw({ method: 'GET', url: pathOf(files.listFiles, { params: { id: server.id }, query }) })
      if (answer.status !== 200) throw refusalIn(answer)
      return shapes.list(readLines(answer.body.toString()).map(shapes.fileOf))
    }),
  )
  scope.get(
    '/servers/:server/files/contents',
    onServer(api, async ({ call, raw, server }, request, reply) => {
      const path = pathOfText(fileQuery.parse(request.query).file)
      const { size } = await call(files.getFileStat, { params: { id: server.id }, query: { path } })
      if (size > textBytes)
        throw new ClientFault({
          status: 400,
          code: 'HttpException',
          detail: 'The file you are attempting to open is too large to view in the file editor.',
        })
      const answer = await raw({ method: 'GET', url: contentUrl(server, path) })
      if (answer.status !== 200) throw refusalIn(answer)
      return reply.type('text/plain; charset=utf-8').header('x-content-type-options', 'nosniff').send(answer.body)
    }),
  )
  scope.get(
    '/servers/:server/files/download',
    onServer(api, async ({ call, server }, request) => {
      const path = pathOfText(fileQuery.parse(request.query).file)
      const body = { purpose: 'read' as const, path }
      const { url } = await call(files.createFileTicket, { params: { id: server.id }, body })
      return shapes.item('signed_url', { url: `${publicUrl(api.context.settings)}${url}` })
    }),
  )
  scope.put(
    '/servers/:server/files/rename',
    onServer(api, async ({ call, server }, request, reply) => {
      const { root, files: renamed } = renameBody.parse(request.body ?? {})
      for (const { from, to } of renamed) {
        const body = { from: below(root, from), to: below(root, to) }
        await call(files.renameFile, { params: { id: server.id }, body })
      }
      return nothing(reply)
    }),
  )
  scope.post(
    '/servers/:server/files/delete',
    onServer(api, async ({ call, server }, request, reply) => {
      const { root, files: names } = filesBody.parse(request.body ?? {})
      const body = { paths: names.map((name) => below(root, name)) }
      await call(files.deleteFiles, { params: { id: server.id }, body })
      return nothing(reply)
    }),
  )
  scope.post(
    '/servers/:server/files/create-folder',
    onServer(api, async ({ call, server }, request, reply) => {
      const { root, name } = folderBody.parse(request.body ?? {})
      await call(files.makeFolder, { params: { id: server.id }, body: { path: below(root, name) } })
      return nothing(reply)
    }),
  )
}

/** Bodies there are the content of files, whatever type they say. */
function registerWriting(api: Api, scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: textBytes }, (_request, body, done) =>
    done(null, body),
  )
  scope.post(
    '/servers/:server/files/write',
    { bodyLimit: textBytes },
    onServer(api, async ({ raw, server }, request, reply) => {
      const path = pathOfText(fileQuery.parse(request.query).file)
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      const answer = await raw({ method: 'PUT', url: contentUrl(server, path), body })
      if (answer.status !== 200) throw refusalIn(answer)
      return nothing(reply)
    }),
  )
}

const contentUrl = ({ id }: Server, path: string) =>
  `/api/v1/servers/${id}/files/content?${new URLSearchParams({ path })}`

function refusalIn({ status, json }: Awaited<ReturnType<Raw>>): Error {
  const read = errorBodySchema.safeParse(json())
  return read.success ? new ApiError(status, read.data) : new Error(`answered ${status}`)
}

/** @throws ClientFault where the list broke off */
function readLines(text: string): shapes.FileLine[] {
  const lines = text.split('\n').filter((line) => line !== '')
  const end = JSON.parse(lines.pop() ?? '{}') as { end?: boolean }
  if (end.end !== true) throw new ClientFault({ status: 504, code: 'HttpException', detail: 'The list broke off.' })
  return lines.map((line) => JSON.parse(line) as shapes.FileLine)
}

function registerBackups(api: Api, scope: FastifyInstance): void {
  scope.get(
    '/servers/:server/backups',
    onServer(api, async ({ call, server }, request) => {
      const { page, per_page: perPage } = pageQuery.parse(request.query)
      const kept = (await call(listBackups, { params: { id: server.id } })).filter(
        ({ deleted_at }) => deleted_at === undefined,
      )
      const url = `${publicUrl(api.context.settings)}${prefix}/servers/${shapes.identifierOf(server)}/backups`
      const paged = shapes.pageOf(kept.map(shapes.backupOf), { page, perPage, url })
      return { ...paged, meta: { ...paged.meta, backup_count: kept.length } }
    }),
  )
  scope.get(
    '/servers/:server/backups/:backup',
    onServer(api, async ({ call, server }, request) => {
      const { backup: id } = request.params as { backup: string }
      const found = (await call(listBackups, { params: { id: server.id } })).find((backup) => backup.id === id)
      if (found === undefined) throw notFound()
      return shapes.backupOf(found)
    }),
  )
  scope.post(
    '/servers/:server/backups',
    onServer(api, async ({ call, server }, request) => {
      const given = z.object({ name: z.string().nullish(), is_locked: z.boolean().nullish() }).parse(request.body ?? {})
      const name = given.name ?? null
      const body = { name, pinned: given.is_locked ?? false }
      return shapes.begunBackupOf(await call(createBackup, { params: { id: server.id }, body }), name)
    }),
  )
  scope.delete(
    '/servers/:server/backups/:backup',
    onServer(api, async ({ call, server }, request, reply) => {
      const { backup: snapshotId } = request.params as { backup: string }
      if (!isUuid(snapshotId)) throw notFound()
      await call(deleteBackup, { params: { id: server.id, snapshotId } })
      return nothing(reply)
    }),
  )
}
