/**
 * The HTTP API of Kubernetes, as far as a driver of ours and its test need it: objects by their real paths, watches with
 * versions that are forgotten in the end (410), merge patches and what else changes them, conflicts (409), schemas (422),
 * quotas and roles (403), and what is passed on to the machines of Pods: output, commands, attaching.
 */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { createAccess } from './access.ts'
import { apiVersionOf, findFault, type Kind, kinds, type KubeObject } from './kinds.ts'
import { admit, checkChange } from './rules.ts'
import { createStore, now, Refusal, type Change } from './store.ts'

type Target = { kind: Kind; namespace?: string | undefined; name?: string | undefined; sub?: string | undefined }
/** Ways to a container, which lead on to the machine that has it. */
const WAYS = ['log', 'exec', 'attach']
const REVIEWS = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'

export type ApiServer = Awaited<ReturnType<typeof startApiServer>>

export async function startApiServer() {
  const store = createStore()
  const access = createAccess(store)
  const open = new Set<Socket>()
  const counts = { lists: 0, watches: 0 }
  let isAway = false

  const server = createServer((incoming, response) => {
    answer(incoming, response).catch((error: unknown) => {
      const { code, reason } = error instanceof Refusal ? error : { code: 500, reason: 'InternalError' }
      const status = {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: (error as Error).message,
        reason,
        code,
      }
      if (response.headersSent) response.end()
      else send(response, code, status)
    })
  })
  server.on('connection', (socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
    if (isAway) socket.destroy()
  })
  server.on('upgrade', (incoming: IncomingMessage, socket: Socket, head: Buffer) => {
    socket.on('error', () => {})
    try {
      const target = readTarget(new URL(incoming.url ?? '/', 'http://x'))
      authorize(incoming, target, 'get')
      const to = wayOf(target, new URL(incoming.url ?? '/', 'http://x'))
      const through = connect(Number(to.port), to.hostname)
      through.on('error', () => socket.destroy()).on('close', () => socket.destroy())
      socket.on('close', () => through.destroy())
      through.write(`GET ${to.pathname}${to.search} HTTP/1.1\r\n`)
      for (let at = 0; at < incoming.rawHeaders.length; at += 2)
        if (incoming.rawHeaders[at]?.toLowerCase() !== 'authorization')
          through.write(`${incoming.rawHeaders[at]}: ${incoming.rawHeaders[at + 1]}\r\n`)
      through.write('\r\n')
      if (head.length > 0) through.write(head)
      socket.pipe(through).pipe(socket)
    } catch (error) {
      const code = error instanceof Refusal ? error.code : 500
      socket.end(`HTTP/1.1 ${code} ${(error as Error).message}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`)
    }
  })

  function readTarget({ pathname }: URL): Target {
    const parts = pathname.split('/').filter((part) => part !== '')
    const group = parts[0] === 'api' ? '' : (parts[1] ?? '')
    let rest = parts.slice(group === '' ? 2 : 3)
    let namespace: string | undefined
    if (rest[0] === 'namespaces' && rest.length > 2) {
      namespace = rest[1]
      rest = rest.slice(2)
    }
    const kind = kinds.find((one) => one.group === group && one.plural === rest[0])
    if (kind === undefined) throw new Refusal(404, 'NotFound', 'the server could not find the requested resource')
    return { kind, namespace, name: rest[1], sub: rest[2] }
  }

  function authorize(incoming: IncomingMessage, { kind, namespace, name, sub }: Target, verb: string) {
    const user = access.userOf(incoming.headers.authorization)
    if (user === undefined) throw new Refusal(401, 'Unauthorized', 'Unauthorized')
    const resource = sub === undefined ? kind.plural : `${kind.plural}/${sub}`
    if (!access.isAllowed(user, { verb, group: kind.group, resource, namespace, name }))
      throw new Refusal(
        403,
        'Forbidden',
        `${resource} is forbidden: User "${user.name}" cannot ${verb} resource "${resource}" in API group "${kind.group}" in the namespace "${namespace}"`,
      )
    return user
  }

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(incoming.url ?? '/', 'http://x')
    if (url.pathname === '/version') return send(response, 200, { major: '1', minor: '35', gitVersion: 'v1.35.0' })
    const body = incoming.method === 'GET' ? undefined : await readBody(incoming)
    if (url.pathname === REVIEWS) return review(incoming, response, body as KubeObject)
    const target = readTarget(url)
    const { kind, namespace, name, sub } = target
    if (incoming.method === 'GET') {
      if (name === undefined) {
        const isWatch = url.searchParams.get('watch') === 'true'
        authorize(incoming, target, isWatch ? 'watch' : 'list')
        return isWatch ? watch(response, target, url) : list(response, target, url)
      }
      authorize(incoming, target, 'get')
      if (sub !== undefined && WAYS.includes(sub)) return pass(response, wayOf(target, url))
      return send(response, 200, store.get(kind, namespace, name))
    }
    if (incoming.method === 'POST') {
      authorize(incoming, target, 'create')
      if (sub === 'binding') return bind(response, target, body as KubeObject)
      const object = body as KubeObject
      if (typeof object?.metadata !== 'object') throw new Refusal(400, 'BadRequest', 'the body is no object')
      if (kind.namespaced && !store.list(kindOf('namespaces')).some(({ metadata }) => metadata.name === namespace))
        throw new Refusal(404, 'NotFound', `namespaces "${namespace}" not found`)
      checkSchema(kind, object)
      if (!object.metadata.name && !object.metadata.generateName)
        throw new Refusal(422, 'Invalid', 'metadata.name: Required value')
      checkName(object.metadata.name)
      admit(store, kind, namespace, object)
      return send(response, 201, store.create(kind, namespace, object))
    }
    if (name === undefined) throw new Refusal(405, 'MethodNotAllowed', 'the server does not allow this method')
    if (incoming.method === 'DELETE') {
      authorize(incoming, target, 'delete')
      return remove(response, target, url, (body ?? {}) as Record<string, unknown>)
    }
    const before = store.get(kind, namespace, name)
    const isPatch = incoming.method === 'PATCH'
    authorize(incoming, target, isPatch ? 'patch' : 'update')
    const given = body as KubeObject
    const next = isPatch ? patch(before, given, incoming.headers['content-type'] ?? '') : given
    if (isPatch && given.metadata?.resourceVersion === undefined) delete next.metadata.resourceVersion
    // Who writes the status changes nothing else, and the other way round.
    const object: KubeObject =
      sub === 'status' ? { ...before, status: next.status } : { ...next, status: before.status }
    object.metadata = {
      ...object.metadata,
      ...(next.metadata.resourceVersion !== undefined ? { resourceVersion: next.metadata.resourceVersion } : {}),
    }
    if (next.metadata.resourceVersion === undefined) delete object.metadata.resourceVersion
    checkSchema(kind, object)
    checkChange(store, kind, before, object)
    send(response, 200, store.replace(kind, namespace, object))
  }

  function checkSchema(kind: Kind, object: KubeObject) {
    const fault = findFault(kind, { ...object, apiVersion: apiVersionOf(kind), kind: kind.kind })
    if (fault !== undefined)
      throw new Refusal(422, 'Invalid', `${kind.kind} "${object.metadata.name}" is invalid: ${fault}`)
  }

  function list(response: ServerResponse, { kind, namespace }: Target, url: URL) {
    counts.lists++
    const items = store.list(kind, namespace).filter(matcherOf(url))
    send(response, 200, {
      kind: `${kind.kind}List`,
      apiVersion: apiVersionOf(kind),
      metadata: { resourceVersion: String(store.version()) },
      items,
    })
  }

  function watch(response: ServerResponse, { kind, namespace }: Target, url: URL) {
    counts.watches++
    const matches = matcherOf(url)
    const from = Number(url.searchParams.get('resourceVersion') || store.version())
    const missed = store.since(from)
    response.writeHead(200, { 'content-type': 'application/json', 'transfer-encoding': 'chunked' })
    response.flushHeaders()
    const write = (type: string, object: unknown) => response.write(`${JSON.stringify({ type, object })}\n`)
    if (missed === undefined) {
      write('ERROR', {
        kind: 'Status',
        status: 'Failure',
        reason: 'Expired',
        code: 410,
        message: `too old resource version: ${from}`,
      })
      return void response.end()
    }
    const tell = ({ type, kind: other, object, before }: Change) => {
      if (other !== kind || (namespace !== undefined && object.metadata.namespace !== namespace)) return
      const [is, was] = [matches(object), before !== undefined && matches(before)]
      if (is) write(type === 'MODIFIED' && !was ? 'ADDED' : type, object)
      else if (was) write('DELETED', object)
    }
    for (const change of missed) tell(change)
    const stop = store.listen(tell)
    response.on('close', stop)
    const seconds = Number(url.searchParams.get('timeoutSeconds') ?? 0)
    if (seconds > 0) setTimeout(() => response.end(), seconds * 1000).unref()
  }

  function remove(
    response: ServerResponse,
    { kind, namespace, name }: Target,
    url: URL,
    options: Record<string, unknown>,
  ) {
    const object = store.get(kind, namespace, name as string)
    const preconditions = options['preconditions'] as { uid?: string } | undefined
    if (preconditions?.uid !== undefined && preconditions.uid !== object.metadata.uid)
      throw new Refusal(409, 'Conflict', 'the UID in the precondition does not match')
    const asked = url.searchParams.get('gracePeriodSeconds') ?? (options['gracePeriodSeconds'] as number | undefined)
    if (kind.plural === 'pods') {
      const own = object.spec.terminationGracePeriodSeconds ?? 30
      const grace = object.spec.nodeName === undefined ? 0 : Number(asked ?? own)
      const isShorter =
        object.metadata.deletionGracePeriodSeconds === undefined || grace < object.metadata.deletionGracePeriodSeconds
      if (grace === 0) return send(response, 200, store.drop(kind, namespace, object))
      if (!isShorter) return send(response, 200, object)
      object.metadata.deletionTimestamp ??= new Date(Date.now() + grace * 1000).toISOString()
      object.metadata.deletionGracePeriodSeconds = grace
      return send(response, 200, store.replace(kind, namespace, object))
    }
    if (object.metadata.finalizers?.length) {
      object.metadata.deletionTimestamp ??= now()
      return send(response, 200, store.replace(kind, namespace, object))
    }
    return send(response, 200, store.drop(kind, namespace, object))
  }

  function bind(response: ServerResponse, { kind, namespace, name }: Target, body: KubeObject) {
    const pod = store.get(kind, namespace, name as string)
    if (pod.spec.nodeName) throw new Refusal(409, 'Conflict', 'the Pod has a node already')
    pod.spec.nodeName = (body['target'] as { name: string }).name
    store.replace(kind, namespace, pod)
    send(response, 201, { kind: 'Status', apiVersion: 'v1', status: 'Success' })
  }

  function review(incoming: IncomingMessage, response: ServerResponse, body: KubeObject) {
    const user = access.userOf(incoming.headers.authorization)
    if (user === undefined) throw new Refusal(401, 'Unauthorized', 'Unauthorized')
    const { verb, group = '', resource, subresource, namespace, name } = body.spec.resourceAttributes
    const asked = { verb, group, resource: subresource ? `${resource}/${subresource}` : resource, namespace, name }
    send(response, 201, { ...body, status: { allowed: access.isAllowed(user, asked) } })
  }

  /** Where the machine of a Pod is asked for what only it has. */
  function wayOf({ kind, namespace, name, sub }: Target, { searchParams }: URL): URL {
    const pod = store.get(kind, namespace, name as string)
    const container = searchParams.get('container') ?? pod.spec.containers[0].name
    const node = store.list(kindOf('nodes')).find(({ metadata }) => metadata.name === pod.spec.nodeName)
    if (node === undefined) throw new Refusal(400, 'BadRequest', `pod ${name} does not have a host assigned`)
    const { address } = node.status.addresses[0]
    const way = sub === 'log' ? 'containerLogs' : sub
    const to = new URL(
      `http://${address}:${node.status.daemonEndpoints.kubeletEndpoint.Port}/${way}/${namespace}/${name}/${container}`,
    )
    const words: Record<string, string> = { stdin: 'input', stdout: 'output', stderr: 'error' }
    for (const [key, value] of searchParams)
      if (words[key] === undefined) to.searchParams.append(key, value)
      else if (value === 'true') to.searchParams.append(words[key], '1')
    return to
  }

  function pass(response: ServerResponse, to: URL) {
    const sent = request(to, (answered) => {
      response.writeHead(answered.statusCode ?? 500, answered.headers)
      answered.pipe(response)
    })
    sent.on('error', (error) => send(response, 500, { kind: 'Status', code: 500, message: error.message }))
    sent.end()
  }

  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    store,
    access,
    counts,
    /** Nobody answers any more, until it is back. What runs goes on. */
    setAway(away: boolean) {
      isAway = away
      if (away) for (const socket of open) socket.destroy()
    },
    /** Ends what is being watched, as every server does from time to time. */
    endWatches() {
      for (const socket of open) socket.destroy()
    },
    async close() {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}

const kindOf = (plural: string) => kinds.find((one) => one.plural === plural)!

function checkName(name: string | undefined) {
  if (name !== undefined && !/^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/.test(name))
    throw new Refusal(422, 'Invalid', `metadata.name: Invalid value: "${name}"`)
}

/** Whether an object is among those that were asked for. */
function matcherOf({ searchParams }: URL): (object: KubeObject) => boolean {
  const labels = (searchParams.get('labelSelector') ?? '').split(',').filter((part) => part !== '')
  const fields = (searchParams.get('fieldSelector') ?? '').split(',').filter((part) => part !== '')
  return (object) =>
    labels.every((part) => {
      const [, key = '', sign, value] = /^([^=!]+?)(?:(!=|==?)(.*))?$/.exec(part) ?? []
      const found = object.metadata.labels?.[key]
      return sign === undefined ? found !== undefined : sign === '!=' ? found !== value : found === value
    }) &&
    fields.every((part) => {
      const [path = '', value] = part.split('=')
      return path.split('.').reduce<any>((at, step) => at?.[step], object) === value
    })
}

function patch(before: KubeObject, change: unknown, type: string): KubeObject {
  if (/json-patch/.test(type)) throw new Refusal(415, 'UnsupportedMediaType', 'only merge patches are known here')
  const merge = (target: any, given: any): any => {
    if (given === null || typeof given !== 'object' || Array.isArray(given)) return given
    const made = target !== null && typeof target === 'object' && !Array.isArray(target) ? { ...target } : {}
    for (const [key, value] of Object.entries(given))
      if (value === null) delete made[key]
      else made[key] = merge(made[key], value)
    return made
  }
  return merge(structuredClone(before), change)
}

async function readBody(incoming: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString()
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    throw new Refusal(400, 'BadRequest', 'the body is not JSON')
  }
}

function send(response: ServerResponse, code: number, body: unknown) {
  response.writeHead(code, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}
