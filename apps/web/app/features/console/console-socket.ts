/**
 * The browser's end of `GET /api/v1/servers/{id}/console`: reconnects by itself, resumes after the last line seen,
 * and says honestly what the connection is doing. It knows nothing of React, so tests drive it against a real server.
 */
import {
  type ConsoleClientFrame,
  type ConsoleServerFrame,
  consoleServerFrame,
} from '@wakestone/contract/servers/stream'

export type ConsoleConnection =
  | { state: 'connecting' }
  | { state: 'live' }
  /** `because`: the network, or the program beside the game does not answer. */
  | { state: 'reconnecting'; attempt: number; because: 'network' | 'supervisor' }
  /** Final: the session ended, the right was lost, or there is no such server. */
  | { state: 'ended'; because: 'session' | 'right' | 'missing' }

export type CommandOutcome = { error: string | null }

export type ConsoleSocket = {
  /** Sends a command; settles with the server's answer. `console_not_connected` and `console_connection_lost` are said here. */
  send: (command: string) => Promise<CommandOutcome>
  /** Tries at once instead of waiting for the back-off to pass. */
  retryNow: () => void
  close: () => void
}

type Options = {
  /** Address to connect to, given the newest line seen. */
  address: (after: number | null) => string
  /** Newest line seen; asked at every connection. */
  lastSeq: () => number | null
  onFrame: (frame: ConsoleServerFrame) => void
  onConnection: (connection: ConsoleConnection) => void
  /** Renews the session: before a new try, and when the server says that it ended. False = it cannot be renewed. */
  renewSession: () => Promise<boolean>
  makeSocket?: (address: string) => WebSocket
  /** First and longest wait between tries, and how long an answer to a command may take, in milliseconds. */
  waits?: { first: number; longest: number; answer: number }
}

const finalCodes: Record<number, 'right' | 'missing'> = { 4403: 'right', 4404: 'missing' }

/** Reads a frame; null for one this version does not know. */
function readFrame(data: unknown): ConsoleServerFrame | null {
  if (typeof data !== 'string') return null
  try {
    const parsed = consoleServerFrame.safeParse(JSON.parse(data))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}

/** Opens the console's connection and keeps it open until `close`. */
export function openConsoleSocket(options: Options): ConsoleSocket {
  const waits = options.waits ?? { first: 500, longest: 15_000, answer: 10_000 }
  const makeSocket = options.makeSocket ?? ((address) => new WebSocket(address))
  const pending = new Map<string, { settle: (outcome: CommandOutcome) => void; timer: ReturnType<typeof setTimeout> }>()
  let socket: WebSocket | null = null
  let retryTimer: ReturnType<typeof setTimeout> | null = null
  let attempt = 0
  let closed = false
  let isLive = false
  let sent = 0

  const say = (connection: ConsoleConnection) => {
    isLive = connection.state === 'live'
    if (!closed) options.onConnection(connection)
  }
  const settlePending = (error: string) => {
    for (const { settle, timer } of pending.values()) {
      clearTimeout(timer)
      settle({ error })
    }
    pending.clear()
  }
  const end = (because: 'session' | 'right' | 'missing') => {
    say({ state: 'ended', because })
    socket = null
  }

  const retryLater = (because: 'network' | 'supervisor') => {
    attempt += 1
    say({ state: 'reconnecting', attempt, because })
    // Full jitter above half: a restarted api is not met by every browser at the same instant.
    const wait = Math.min(waits.longest, waits.first * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2)
    retryTimer = setTimeout(reconnect, wait)
  }

  async function reconnect(): Promise<void> {
    retryTimer = null
    // A refused upgrade tells a browser nothing, so an ended session is found out here.
    const isRenewed = await options.renewSession().catch(() => true)
    if (closed || socket !== null || retryTimer !== null) return
    if (isRenewed) connect()
    else end('session')
  }

  /** Gives a connection up without waiting for its closing handshake, which a dead network never answers. */
  const lose = (lost: WebSocket, because: 'network' | 'supervisor') => {
    if (socket !== lost) return
    socket = null
    lost.close()
    settlePending('console_connection_lost')
    retryLater(because)
  }

  function connect(): void {
    const opened = makeSocket(options.address(options.lastSeq()))
    socket = opened
    const proveLive = () => {
      if (socket !== opened || isLive) return
      attempt = 0
      say({ state: 'live' })
    }
    // Live once something has come or the connection has held for a while: a proxy may accept and then hang up.
    opened.addEventListener('open', () => setTimeout(proveLive, waits.first))
    opened.addEventListener('message', (event) => {
      if (socket !== opened) return
      const frame = readFrame(event.data)
      if (frame === null) return
      proveLive()
      if (frame.type === 'command_result') {
        const waiting = pending.get(frame.id)
        pending.delete(frame.id)
        clearTimeout(waiting?.timer)
        waiting?.settle({ error: frame.error })
      }
      options.onFrame(frame)
    })
    opened.addEventListener('close', (event) => {
      if (socket !== opened) return
      const final = finalCodes[event.code]
      if (final !== undefined) {
        settlePending('console_connection_lost')
        end(final)
      } else if (event.code === 4401 && attempt === 0) {
        socket = null
        settlePending('console_connection_lost')
        attempt = 1
        // Every quarter of an hour, and over before anybody has read it.
        say({ state: 'connecting' })
        void reconnect()
      } else lose(opened, event.code === 4503 ? 'supervisor' : 'network')
    })
  }

  const retryNow = () => {
    if (closed || retryTimer === null) return
    clearTimeout(retryTimer)
    void reconnect()
  }
  // Without this a laptop that wakes up trusts a dead connection for minutes.
  const goneOffline = () => {
    if (socket !== null) lose(socket, 'network')
  }
  if (typeof window !== 'undefined') {
    window.addEventListener('online', retryNow)
    window.addEventListener('offline', goneOffline)
  }

  say({ state: 'connecting' })
  connect()

  return {
    send: (command) => {
      const current = socket
      if (current === null || current.readyState !== 1) return Promise.resolve({ error: 'console_not_connected' })
      sent += 1
      const frame: ConsoleClientFrame = { type: 'command', id: `${Date.now().toString(36)}-${sent}`, command }
      return new Promise((settle) => {
        const timer = setTimeout(() => {
          pending.delete(frame.id)
          settle({ error: 'console_connection_lost' })
          lose(current, 'network') // half-open: begin anew
        }, waits.answer)
        pending.set(frame.id, { settle, timer })
        current.send(JSON.stringify(frame))
      })
    },
    retryNow,
    close: () => {
      closed = true
      if (retryTimer !== null) clearTimeout(retryTimer)
      if (typeof window !== 'undefined') {
        window.removeEventListener('online', retryNow)
        window.removeEventListener('offline', goneOffline)
      }
      settlePending('console_connection_lost')
      const current = socket
      socket = null
      current?.close()
    },
  }
}
