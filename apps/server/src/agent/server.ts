/**
 * Serves a cluster of this machine's processes to the control plane, and ways to what runs here to gateways. Whoever asks
 * has to show a token of the key that was pinned when the agent joined.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { Socket } from 'node:net'
import { pipeline } from 'node:stream/promises'
import type { Logger } from '@wakestone/kit/logger'
import { createTokenCheck } from '@wakestone/protocol/token-check'
import {
  type CallAnswer,
  type CallBody,
  type CallName,
  calls,
  downloadName,
  folderId,
  hashName,
  pingMilliseconds,
  taskOrderSchema,
} from '#src/adapters/clusters/agent/messages.ts'
import { packFolder } from '#src/adapters/clusters/agent/folders.ts'
import type { Cluster, Placement } from '#src/adapters/clusters/cluster.ts'
import type { Identity } from './identity.ts'
import { openStore } from './store.ts'
import { createTasks } from './task.ts'
import { createTunnels } from './tunnels.ts'

/** A plan with its files of configuration, or a task with its input. */
const MOST_BODY_BYTES = 8 * 1024 ** 2
/** Connections that have not shown a token yet. */
const MOST_STRANGERS = 512
const STRANGER_MS = 15_000
const MOST_CONNECTIONS = 25_000

type Handlers = { [Name in CallName]: (body: CallBody<Name>) => Promise<CallAnswer<Name>> }

export async function serveAgent({
  cluster,
  dataDir,
  identity: { id, key, certificate, publicKey },
  listen,
  logger,
}: {
  cluster: Cluster
  dataDir: string
  identity: Identity
  listen: { host: string | undefined; port: number }
  logger: Pick<Logger, 'info' | 'warn' | 'error'>
}) {
  const mayManage = createTokenCheck({ audience: 'agent', publicKey, serverId: id })
  const store = openStore(dataDir)
  const tasks = createTasks({ cluster, store, dataDir })
  const tunnels = createTunnels({ cluster, dataDir, publicKey })
  const handlers = createHandlers(cluster)
  const strangers = new Set<Socket>()
  const ending = new AbortController()

  const server = createServer({
    key,
    cert: certificate,
    minVersion: 'TLSv1.3',
    handshakeTimeout: STRANGER_MS,
    headersTimeout: STRANGER_MS,
    requestTimeout: 30 * 60_000, // what is brought here may be large; strangers are refused by their heads
    keepAliveTimeout: 30_000,
    maxHeaderSize: 16 * 1024,
  })
  server.maxConnections = MOST_CONNECTIONS
  server.on('secureConnection', (socket: Socket) => {
    if (strangers.size >= MOST_STRANGERS) return void socket.destroy()
    strangers.add(socket)
    const timer = setTimeout(() => strangers.has(socket) && socket.destroy(), STRANGER_MS)
    socket.once('close', () => {
      clearTimeout(timer)
      strangers.delete(socket)
    })
  })
  server.on('tlsClientError', () => {})
  server.on('clientError', (_error, socket) => socket.destroy())

  /** Who has sent a whole head within its time is dealt with by what it says. */
  const noteMet = (socket: Socket) => void strangers.delete(socket)

  server.on('upgrade', (request, socket: Socket, head: Buffer) => {
    noteMet(socket)
    tunnels.onUpgrade(request, socket, head)
  })
  server.on('request', (request, response) => {
    noteMet(request.socket)
    if (mayManage(request.headers.authorization)?.purpose !== 'manage') {
      response.writeHead(401, { connection: 'close' }).end()
      return
    }
    answer(request, response).catch((error: unknown) => {
      logger.warn({ error, path: request.url }, 'could not be done')
      if (response.headersSent) return void response.destroy()
      const { message } = error as Error
      response.writeHead(error instanceof BadRequest ? 400 : 500, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error: message.slice(0, 1_000) }))
    })
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url = '' } = request
    const [, version, what = '', name = '', act, ...more] = url.split('/')
    if (version !== 'v1' || more.length > 0) return void response.writeHead(404).end()
    if (method === 'GET' && what === 'watch') return watch(response)
    if (what === 'downloads' && downloadName.safeParse(name).success)
      return keep(request, response, {
        isThere: store.hasDownload(name),
        take: () => store.takeDownload(name, request),
      })
    if (what === 'tools' && hashName.safeParse(name).success)
      return keep(request, response, { isThere: store.hasTool(name), take: () => store.takeTool(name, request) })
    if (what === 'folders' && folderId.safeParse(name).success) return keepFolder(request, response, name)
    if (method !== 'POST') return void response.writeHead(404).end()
    if (what === 'task' && act === 'cancel') return void response.writeHead(tasks.cancel(name) ? 204 : 404).end()
    const body = await readBody(request)
    if (what === 'task') return tasks.run(read(taskOrderSchema, body), response)
    if (!Object.hasOwn(calls, what)) return void response.writeHead(404).end()
    const asked = what as CallName
    const done = await handlers[asked](read<unknown>(calls[asked].body, body) as never)
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(done))
  }

  async function keep(
    { method }: IncomingMessage,
    response: ServerResponse,
    { isThere, take }: { isThere: boolean; take: () => Promise<void> },
  ): Promise<void> {
    if (method === 'GET') return void response.writeHead(isThere ? 204 : 404).end()
    if (method !== 'PUT') return void response.writeHead(404).end()
    await take()
    response.writeHead(204).end()
  }

  async function keepFolder(request: IncomingMessage, response: ServerResponse, folder: string): Promise<void> {
    if (request.method === 'GET') {
      const bytes = packFolder(store.folderAt(folder))
      return pipeline(bytes, response.writeHead(200, { 'content-type': 'application/x-tar' }))
    }
    if (request.method === 'PUT') await store.takeFolder(folder, request)
    else if (request.method === 'DELETE') store.dropFolder(folder)
    else return void response.writeHead(404).end()
    response.writeHead(204).end()
  }

  async function watch(response: ServerResponse): Promise<void> {
    const gone = new AbortController()
    response.once('close', () => gone.abort())
    response.writeHead(200, { 'content-type': 'application/x-ndjson' })
    const tell = (message: object) => void response.write(`${JSON.stringify(message)}\n`)
    const pinging = setInterval(() => tell({ kind: 'ping' }), pingMilliseconds)
    try {
      const signal = AbortSignal.any([gone.signal, ending.signal])
      for await (const event of cluster.watch(signal)) tell(event)
    } finally {
      clearInterval(pinging)
      response.end()
    }
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(listen.port, listen.host, resolve)
  })
  const { port } = server.address() as { port: number }
  logger.info({ port }, 'agent listens')
  return {
    port,
    /** Games go on; tasks end, as they do with whoever began them. */
    async close() {
      ending.abort()
      tasks.cancelAll()
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

class BadRequest extends Error {}

function read<Out>(schema: { safeParse(value: unknown): { success: boolean; data?: Out } }, value: unknown): Out {
  const found = schema.safeParse(value)
  if (!found.success) throw new BadRequest('what is asked is not understood: the agent may be of another version')
  return found.data as Out
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MOST_BODY_BYTES) throw new BadRequest('too much is asked at once')
    chunks.push(chunk)
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString() || '{}')
  } catch {
    throw new BadRequest('no JSON')
  }
}

function createHandlers(cluster: Cluster): Handlers {
  const told = (placement: Placement): CallAnswer<'inspect'> => {
    if (placement.state === 'running') return { state: 'running', gamePort: placement.game.port }
    return placement.state === 'lost' ? { state: 'absent' } : placement
  }
  return {
    check: () => cluster.check(),
    place: async (workload) => ({ gamePort: (await cluster.place(workload)).game.port }),
    inspect: async ({ serverId }) => told(await cluster.inspect(serverId)),
    provide: async ({ plan, serverId }) => {
      await cluster.provide(plan, serverId)
      return {}
    },
    'game-is-gone': async ({ serverId }) => ({ gone: await cluster.gameIsGone(serverId) }),
    'end-game': async ({ serverId }) => ({ ended: await cluster.endGame(serverId) }),
    'give-back-memory': async ({ serverId }) => ({ bytes: await cluster.giveBackMemory(serverId) }),
    'grow-disk': async ({ serverId, diskBytes }) => ({ grown: await cluster.growDisk(serverId, diskBytes) }),
    'open-files': async ({ serverId, limits }) => {
      await cluster.openFiles(serverId, limits)
      return {}
    },
    'close-boxes': async ({ serverId }) => {
      await cluster.closeBoxes(serverId)
      return {}
    },
    remove: async ({ serverId, volume }) => {
      await cluster.remove(serverId, { volume })
      return {}
    },
    list: async () => ({ serverIds: await cluster.list() }),
    capacity: async () => {
      const { memory, storage, cores, load } = await cluster.capacity()
      return { memory, storage, cores, load }
    },
    'stop-all': async ({ timeoutSeconds }) => {
      await cluster.stopAll({ timeoutSeconds })
      return {}
    },
  }
}
