/** Everything live about one server in this tab: console lines, statistics and the connection, as one store. */
import type { Capabilities } from '@wakestone/contract/capabilities'
import type { Operation } from '@wakestone/contract/servers/operations'
import type { ServerStatus } from '@wakestone/contract/servers/server'
import type { ConsoleLine, ConsoleServerFrame } from '@wakestone/contract/servers/stream'
import { createStatsHistory, type StatsHistory } from '../stats/stats-history.ts'
import { type CommandOutcome, type ConsoleConnection, openConsoleSocket } from './console-socket.ts'
import { createFrameBatch } from './frame-batch.ts'
import { createLineBuffer, type LineBuffer } from './line-buffer.ts'

export type ServerStream = {
  lines: LineBuffer
  stats: StatsHistory
  connection: () => ConsoleConnection
  /** Rise with every change, so that a view can tell whether it is up to date. */
  linesVersion: () => number
  statsVersion: () => number
  subscribe: (listener: () => void) => () => void
  send: (command: string) => Promise<CommandOutcome>
  retryNow: () => void
  clear: () => void
  close: () => void
}

type Options = {
  serverId: string
  renewSession: () => Promise<boolean>
  onStatus: (status: ServerStatus) => void
  /** What its reader may do, told at the beginning and when it changes. */
  onAccess: (capabilities: Capabilities) => void
  /** What takes long on it, whenever that changes. */
  onOperation: (operation: Operation) => void
  /** Something was done with its files, or may have been while the stream was away. */
  onFiles: () => void
  /** `ws://…` of the page's own host when not given. */
  origin?: string
}

/** Opens the stream of a server. Frames that arrive between two pictures are handled, and told, together. */
export function openServerStream({
  serverId,
  renewSession,
  onStatus,
  onAccess,
  onOperation,
  onFiles,
  origin,
}: Options): ServerStream {
  const lines = createLineBuffer()
  const stats = createStatsHistory()
  const listeners = new Set<() => void>()
  let connection: ConsoleConnection = { state: 'connecting' }
  let linesVersion = 0
  let statsVersion = 0
  // The newest line that has arrived, shown or not yet: a reconnect in between must not ask for it again.
  let arrivedSeq: number | null = null
  let wasLive = false

  const tell = () => {
    for (const listener of listeners) listener()
  }
  const batch = createFrameBatch<ConsoleServerFrame>((frames) => {
    const arrived: ConsoleLine[] = []
    for (const frame of frames) {
      if (frame.type === 'console') arrived.push(...frame.lines)
      else if (frame.type === 'stats' && stats.add(frame.stats)) statsVersion += 1
      else if (frame.type === 'status') onStatus(frame.status)
      else if (frame.type === 'access') onAccess(frame.capabilities)
      else if (frame.type === 'operation') onOperation(frame.operation)
      else if (frame.type === 'files') onFiles()
    }
    if (arrived.length > 0 && lines.append(arrived) > 0) linesVersion += 1
    tell()
  })
  const base = origin ?? `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}`
  const socket = openConsoleSocket({
    address: (after) => `${base}/api/v1/servers/${serverId}/console${after === null ? '' : `?after=${after}`}`,
    lastSeq: () => arrivedSeq,
    renewSession,
    onFrame: (frame) => {
      if (frame.type === 'console') arrivedSeq = Math.max(arrivedSeq ?? -1, frame.lines.at(-1)?.seq ?? -1)
      batch.add(frame)
    },
    onConnection: (next) => {
      if (next.state === 'live') {
        if (wasLive) onFiles()
        wasLive = true
      }
      connection = next
      tell()
    },
  })

  return {
    lines,
    stats,
    connection: () => connection,
    linesVersion: () => linesVersion,
    statsVersion: () => statsVersion,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    send: socket.send,
    retryNow: socket.retryNow,
    clear: () => {
      batch.flush()
      lines.clear()
      linesVersion += 1
      tell()
    },
    close: () => {
      batch.cancel()
      listeners.clear()
      socket.close()
    },
  }
}
