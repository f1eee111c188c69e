/**
 * The management protocol of Minecraft 1.21.9 and later: JSON-RPC 2.0 over a WebSocket on loopback. What the game has of it
 * is asked for first (`rpc.discover`); a game that has none of it, or does not answer, is commanded by its console as
 * before. There are no commands and no console in it.
 */
import { randomInt } from 'node:crypto'
import { WebSocket } from 'ws'

const CALL_MS = 5_000
const RETRY_MS = 2_000
/** After so many failures in a row the game is taken to have none. */
const MOST_TRIES = 15
const MOST_BYTES = 4 * 1024 * 1024
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

export type ManagedPlayer = { name: string; id: string | undefined }

/** There is no such method, or nobody to ask. */
export class NotManaged extends Error {}
/** The game has refused it. */
export class ManagementRefusal extends Error {}

export const makeManagementSecret = () =>
  Array.from({ length: 40 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')

/** What `server.properties` has to say: with TLS and no keystore such a game would not start. */
export const managementSettings = ({ port, secret }: { port: number; secret: string }): Record<string, string> => ({
  'management-server-enabled': 'true',
  'management-server-host': '127.0.0.1',
  'management-server-port': String(port),
  'management-server-secret': secret,
  'management-server-tls-enabled': 'false',
})

type Pending = { resolve: (value: unknown) => void; reject: (error: Error) => void; timer: NodeJS.Timeout }

export function createManagement({
  onPlayers,
  onJoined,
  onLeft,
  onChange,
  retryMs = RETRY_MS,
}: {
  /** Who is there, as soon as that is known. */
  onPlayers: (players: ManagedPlayer[]) => void
  onJoined: (player: ManagedPlayer) => void
  onLeft: (player: ManagedPlayer) => void
  /** It has been reached, or is no more. */
  onChange: () => void
  retryMs?: number
}) {
  let place: { port: number; secret: string } | undefined
  let socket: WebSocket | undefined
  let methods = new Set<string>()
  let nextId = 1
  let tries = 0
  let retry: NodeJS.Timeout | undefined
  const pending = new Map<number, Pending>()

  function forget(error: Error) {
    const was = methods.size > 0
    methods = new Set()
    for (const { reject, timer } of pending.values()) {
      clearTimeout(timer)
      reject(error)
    }
    pending.clear()
    if (was) onChange()
  }

  function connect() {
    if (place === undefined) return
    const { port, secret } = place
    const mine = new WebSocket(`ws://127.0.0.1:${port}/`, {
      headers: { authorization: `Bearer ${secret}` },
      perMessageDeflate: false,
      maxPayload: MOST_BYTES,
      handshakeTimeout: CALL_MS,
    })
    socket = mine
    mine.on('open', () => void begin(mine))
    mine.on('message', (data) => {
      if (mine === socket) read((data as Buffer).toString())
    })
    mine.on('error', () => mine.terminate())
    mine.on('close', () => {
      if (mine !== socket) return
      socket = undefined
      forget(new NotManaged('the connection ended'))
      if (place !== undefined && ++tries < MOST_TRIES) retry = setTimeout(connect, retryMs)
    })
  }

  async function begin(mine: WebSocket) {
    try {
      const described = (await send('rpc.discover', [])) as { methods?: { name?: unknown }[] } | null
      const names = (described?.methods ?? []).flatMap(({ name }) => (typeof name === 'string' ? [name] : []))
      methods = new Set(names.slice(0, 500))
      tries = 0
      onChange()
      if (methods.has('minecraft:players')) onPlayers(readPlayers(await send('minecraft:players', [])))
    } catch {
      mine.terminate()
    }
  }

  function send(method: string, params: unknown[]): Promise<unknown> {
    const open = socket
    if (open?.readyState !== WebSocket.OPEN) return Promise.reject(new NotManaged('not connected'))
    const id = nextId++
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        pending.delete(id)
        reject(new NotManaged(`${method} was not answered`))
      }, CALL_MS)
      pending.set(id, { resolve, reject, timer })
      open.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
    })
  }

  function read(text: string) {
    let message: { id?: unknown; method?: unknown; params?: unknown; result?: unknown; error?: unknown }
    try {
      message = JSON.parse(text)
      if (typeof message !== 'object' || message === null) return
    } catch {
      return
    }
    if (typeof message.method === 'string') return note(message.method, message.params)
    const waiting = typeof message.id === 'number' ? pending.get(message.id) : undefined
    if (waiting === undefined) return
    pending.delete(message.id as number)
    clearTimeout(waiting.timer)
    if (message.error === undefined) return waiting.resolve(message.result)
    const { code, message: reason } = (message.error ?? {}) as { code?: unknown; message?: unknown }
    const why = String(reason ?? 'refused').slice(0, 200)
    // No such method.
    waiting.reject(code === -32601 ? new NotManaged(why) : new ManagementRefusal(why))
  }

  function note(method: string, params: unknown) {
    const what = /^(?:minecraft:)?notification[/:](.+)$/.exec(method)?.[1]
    if (what !== 'players/joined' && what !== 'players/left') return
    const [player] = readPlayers(Array.isArray(params) ? params.flat() : Object.values((params ?? {}) as object))
    if (player !== undefined) (what === 'players/joined' ? onJoined : onLeft)(player)
  }

  return {
    /** Of a game that has just come up. */
    open(at: { port: number; secret: string }) {
      place = at
      tries = 0
      connect()
    },
    close() {
      place = undefined
      clearTimeout(retry)
      socket?.terminate()
      socket = undefined
      forget(new NotManaged('the game has ended'))
    },
    isOpen: () => methods.size > 0,
    has: (method: string) => methods.has(`minecraft:${method}`),
    /** @throws NotManaged where the console has to do it, ManagementRefusal for what the game refuses */
    call(method: string, params: unknown[]): Promise<unknown> {
      if (!methods.has(`minecraft:${method}`)) return Promise.reject(new NotManaged(`no ${method}`))
      return send(`minecraft:${method}`, params)
    },
  }
}

function readPlayers(value: unknown): ManagedPlayer[] {
  if (!Array.isArray(value)) return []
  return value.slice(0, 1_000).flatMap((one: { name?: unknown; id?: unknown } | null) => {
    const { name, id } = one ?? {}
    if (typeof name !== 'string' || !/^[.*]?\w{1,16}$/.test(name)) return []
    return [{ name, id: typeof id === 'string' && /^[0-9a-f-]{36}$/.test(id) ? id : undefined }]
  })
}
