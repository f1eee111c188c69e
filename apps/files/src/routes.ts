/** The routes of `@wakestone/protocol/files`. */
import type { Job } from '@wakestone/protocol/files'
import type { FilesTokenClaims } from '@wakestone/protocol/tokens'
import { archiveFormats, pathsPerRequest } from '@wakestone/protocol/file-values'
import {
  invalid,
  readBody,
  readUpload,
  takeOption,
  takeOverwrite,
  takePath,
  takePaths,
  takeTexts,
  takeWhole,
} from './body.ts'
import { describe } from './describe.ts'
import { FileError } from './errors.ts'
import { joinPath, makeFolder, moveAll, nameOf } from './folders.ts'
import { type Handler, type Parts, sendJson } from './handler.ts'
import { followJob } from './jobs.ts'
import { sendLines } from './lines.ts'
import { listFolder } from './list.ts'
import { setModes } from './permissions.ts'
import { changePlayer, forgetPlayer, readPlayer, readPlayers } from './players.ts'
import { readJobRequest } from './plans.ts'
import { sendFile } from './read.ts'
import { listRevisions, revisionPath } from './revisions.ts'
import { createWorldRoutes } from './worlds/routes.ts'
import { writeContent } from './write.ts'

/** Processes of their own, and open files that are looked at again and again. */
const MOST_AT_ONCE = 24
/** Each takes as much memory as the service itself. */
const MOST_TREES = 2
const MOST_WAITING = 24

/** By method and path; one that ends with `/` is followed by an id. */
export function createRoutes(parts: Parts): Record<string, Handler> {
  const { serverId, volume, space, trash, uploads, jobs } = parts
  const few = createFew(MOST_AT_ONCE)
  const fewer = createFew(MOST_TREES, MOST_WAITING)
  return {
    ...createWorldRoutes(parts, fewer),
    'GET /v1/status': ({ response }) =>
      sendJson(response, 200, { serverId, jobs: jobs.list().filter(isUnderWay).length }),
    'GET /v1/list': ({ response, query }) => {
      const asked = { path: pathOf(query), hidden: query.get('hidden') === '1' }
      return sendLines(response, (lines) => listFolder(volume, asked, lines))
    },
    'GET /v1/stat': ({ response, query }) => sendJson(response, 200, describe(volume, pathOf(query))),
    'GET /v1/read': (asked) => sendFile(volume, pathOf(asked.query), asked),
    'HEAD /v1/read': (asked) => sendFile(volume, pathOf(asked.query), asked),
    'GET /v1/statfs': async ({ response }) => sendJson(response, 200, await space.stats()),

    async 'PUT /v1/write'({ request, response, query }) {
      sendJson(response, 200, await writeContent(parts, pathOf(query), request))
    },
    async 'GET /v1/revisions'({ response, query }) {
      sendJson(response, 200, { revisions: await listRevisions(volume, pathOf(query)) })
    },
    'GET /v1/revision': (asked) =>
      sendFile(volume, revisionPath(pathOf(asked.query), asked.query.get('id')), asked, 'own'),

    async 'POST /v1/move'({ request, response }) {
      const body = await readBody(request)
      const to = takePath(body, 'to')
      const steps = takePaths(body, 'from').map((from) => ({ from, to: joinPath(to, nameOf(from)) }))
      sendJson(response, 200, { paths: await moveAll(volume, steps, takeOverwrite(body)) })
    },
    async 'POST /v1/rename'({ request, response }) {
      const body = await readBody(request)
      const step = { from: takePath(body, 'from'), to: takePath(body, 'to') }
      const [path] = await moveAll(volume, [step], takeOverwrite(body))
      sendJson(response, 200, { path })
    },
    async 'POST /v1/folder'({ request, response }) {
      makeFolder(volume, takePath(await readBody(request), 'path'))
      response.writeHead(204).end()
    },
    async 'POST /v1/copy'({ request, response }) {
      sendJson(response, 202, await jobs.start(readJobRequest({ ...(await readBody(request)), kind: 'copy' })))
    },
    async 'POST /v1/permissions'({ request, response }) {
      const body = await readBody(request)
      if (body['recursive'] === true)
        return sendJson(response, 202, await jobs.start(readJobRequest({ ...body, kind: 'chmod' })))
      setModes(volume, takePaths(body, 'paths'), takeWhole(body, 'mode', { to: 0o777 }))
      response.writeHead(204).end()
    },
    async 'POST /v1/delete'({ request, response }) {
      const body = await readBody(request)
      if (body['permanently'] === true)
        return sendJson(response, 202, await jobs.start(readJobRequest({ ...body, kind: 'delete' })))
      await trash.put(takePaths(body, 'paths'))
      response.writeHead(204).end()
    },

    'GET /v1/trash': async ({ response }) => sendJson(response, 200, await trash.list()),
    'GET /v1/trash/gone': ({ response }) => sendJson(response, 200, { gone: trash.gone() }),
    async 'POST /v1/trash/restore'({ request, response }) {
      const body = await readBody(request)
      const within = body['within'] === undefined ? undefined : takePaths(body, 'within')
      sendJson(response, 200, { paths: await trash.restore(takeTexts(body, 'ids'), takeOverwrite(body), within) })
    },
    async 'POST /v1/trash/remove'({ request, response }) {
      const body = await readBody(request)
      await trash.remove(body['ids'] === null ? null : takeTexts(body, 'ids'))
      response.writeHead(204).end()
    },

    async 'POST /v1/jobs'({ request, response }) {
      sendJson(response, 202, await jobs.start(readJobRequest(await readBody(request))))
    },
    'GET /v1/jobs': ({ response }) => sendJson(response, 200, { jobs: jobs.list() }),
    'GET /v1/jobs/': ({ response, id }) => sendJson(response, 200, jobs.get(id)),
    'GET /v1/jobs//stream': ({ response, id }) =>
      sendLines(response, (lines) => followJob(jobs, id, { lines, response })),
    'DELETE /v1/jobs/'({ response, id }) {
      jobs.cancel(id)
      response.writeHead(204).end()
    },

    'GET /v1/archive': few(async ({ response, query }) => {
      const { sendArchive } = await import('./pack.ts')
      const paths = query.getAll('path')
      if (paths.length === 0 || paths.length > pathsPerRequest) throw invalid('path')
      const format = takeOption({ format: query.get('format') ?? 'zip' }, 'format', archiveFormats)
      await sendArchive(volume, { paths, format }, response)
    }),
    'GET /v1/archive/entries': few(async ({ response, query }) => {
      const { listEntries } = await import('./archive-entries.ts')
      await sendLines(response, (lines) => listEntries(volume, pathOf(query), lines))
    }),
    'GET /v1/archive/entry': few(async ({ response, query }) => {
      const { sendEntry } = await import('./archive-entries.ts')
      await sendEntry(volume, { path: pathOf(query), entry: query.get('entry') ?? '' }, response)
    }),
    'GET /v1/search': few(async ({ response, query }) => {
      const { search } = await import('./search.ts')
      const asked = {
        path: pathOf(query),
        name: query.get('name') ?? '',
        content: query.get('content') ?? '',
        matchCase: query.get('case') === '1',
        isRegex: query.get('regex') === '1',
        hidden: query.get('hidden') === '1',
      }
      await sendLines(response, (lines) => search(volume, asked, lines))
    }),
    'GET /v1/tree': fewer(async ({ response, query }) => {
      const { readTree } = await import('./tree.ts')
      const from = query.get('from') ?? '0'
      if (!/^\d{1,15}$/.test(from)) throw invalid('from')
      const asked = { path: pathOf(query), chunk: query.get('chunk'), table: query.get('table'), from: Number(from) }
      response.setHeader('content-type', 'application/json').end(await readTree(volume, asked))
    }),
    'GET /v1/follow': few(async ({ response, query }) => {
      const { followFile } = await import('./follow.ts')
      const from = query.get('from')
      if (from !== null && !/^-?\d{1,15}$/.test(from)) throw invalid('from')
      await followFile(volume, { path: pathOf(query), from: from === null ? undefined : Number(from) }, response)
    }),

    'GET /v1/players': few(async ({ response, query }) => {
      response.setHeader('content-type', 'application/json').end(await readPlayers(volume, query.get('edition')))
    }),
    'GET /v1/player': few(async ({ response, query }) => {
      response.setHeader('content-type', 'application/json').end(await readPlayer(volume, query.get('id') ?? ''))
    }),
    'POST /v1/player': few(async ({ request, response }) => {
      sendJson(response, 200, await changePlayer(parts, await readBody(request)))
    }),
    async 'POST /v1/player/forget'({ request, response }) {
      await forgetPlayer(parts, await readBody(request))
      response.writeHead(204).end()
    },

    async 'POST /v1/uploads'({ request, response, claims }) {
      const asked = readUpload(await readBody(request))
      if (!mayUpload(claims)(asked.path) || (claims.purpose === 'upload' && asked.size > (claims.size ?? 0)))
        throw new FileError('access_denied')
      sendJson(response, 201, await uploads.create(asked))
    },
    'HEAD /v1/uploads/'({ response, id, claims }) {
      const { offset, size } = uploads.find(id, mayUpload(claims))
      const headers = { ...tusHeaders, 'upload-offset': offset, 'upload-length': size, 'cache-control': 'no-store' }
      response.writeHead(200, headers).end()
    },
    async 'PATCH /v1/uploads/'({ request, response, id, claims }) {
      const { offset, placed } = await uploads.append(id, request, mayUpload(claims))
      const where = placed && { 'upload-path': encodeURIComponent(placed.path), etag: `"${placed.revision}"` }
      response.writeHead(204, { ...tusHeaders, 'upload-offset': offset, ...where }).end()
    },
    async 'DELETE /v1/uploads/'({ response, id, claims }) {
      await uploads.remove(id, mayUpload(claims))
      response.writeHead(204, tusHeaders).end()
    },
  }
}

const isUnderWay = ({ state }: Job) => state === 'running' || state === 'waiting'

/** Handlers that cost more than others: `most` run at once, and up to `waiting` requests wait for their turn. */
function createFew(most: number, waiting = 0): (handler: Handler) => Handler {
  let count = 0
  const line: (() => void)[] = []
  return (handler) => async (asked) => {
    if (count < most) count++
    else if (line.length >= waiting) throw new FileError('too_many_requests')
    else await new Promise<void>((resolve) => line.push(resolve))
    try {
      // Whoever waited may have gone.
      if (!asked.response.destroyed) await handler(asked)
    } finally {
      // The next one takes over the place.
      const next = line.shift()
      if (next === undefined) count--
      else next()
    }
  }
}

/** Uploads to other paths do not exist for a token of one. */
const mayUpload = (claims: FilesTokenClaims) => (path: string) => claims.purpose === 'control' || claims.path === path

const tusHeaders = { 'tus-resumable': '1.0.0' }

function pathOf(query: URLSearchParams): string {
  const path = query.get('path')
  if (path === null) throw new FileError('invalid_request', { path: 'missing' })
  return path
}
