/**
 * Consoles as readers follow them: one stream per server for all who read it in this process, for as long as somebody
 * does. A supervisor that goes and comes back is found again, and the console goes on after the last line.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { ConsoleLine } from '@wakestone/contract/servers/stream'
import { createFenceFinder } from '@wakestone/minecraft/command-fence'
import type { ConsoleLine as RecordedLine, StreamMessage } from '@wakestone/protocol/supervisor'
import type { Fleet } from '#src/adapters/clusters/fleet.ts'
import type { SupervisorStream } from '#src/adapters/supervisor/stream.ts'

const shortestWait = 250
const longestWait = 2_000
const missingWait = 500
/** What a reader who comes later is shown first. */
const linesKept = 1_000
const lengthKept = 1024 * 1024
/** Lines that a reader has already come again this long at most; then they are others under old numbers. */
const resumesMilliseconds = 5_000

type ConsoleMessage = { type: 'console'; lines: ConsoleLine[] }
type ShownMessage = ConsoleMessage | Extract<StreamMessage, { type: 'stats' }>
type Reader = { after: number; since: number; onMessage: (message: ShownMessage) => void }

export type ConsoleRelay = {
  /** @param after number of the last line that the reader has */
  follow(options: { serverId: string; after: number; onMessage: (message: ShownMessage) => void }): { close(): void }
}

/** Has the supervisor of a server come up and stay for so long, if only for what it has kept of the console. */
type Need = { seconds: number; tell(serverId: string): Promise<void> }

export function createConsoleRelay(fleet: Fleet, need: Need): ConsoleRelay {
  const feeds = new Map<string, Feed>()
  return {
    follow({ serverId, after, onMessage }) {
      let feed = feeds.get(serverId)
      if (feed === undefined) feeds.set(serverId, (feed = openFeed(fleet, serverId, need)))
      const { join, leave } = feed
      const reader = { after, since: Date.now(), onMessage }
      join(reader)
      return {
        close() {
          if (leave(reader) || feeds.get(serverId) !== feed) return
          feeds.delete(serverId)
          feed.close()
        },
      }
    },
  }
}

type Feed = {
  join(reader: Reader): void
  /** @returns whether others still read. */
  leave(reader: Reader): boolean
  close(): void
}

function openFeed(fleet: Fleet, serverId: string, need: Need): Feed {
  const ending = new AbortController()
  const readers = new Set<Reader>()
  let stream: SupervisorStream | undefined
  let kept: ConsoleLine[] = []
  let keptLength = 0
  let newest = 0
  const show = createShowing()

  function keep(lines: ConsoleLine[]) {
    kept.push(...lines)
    for (const { text } of lines) keptLength += text.length
    let surplus = Math.max(0, kept.length - linesKept)
    for (let index = 0; index < surplus || (keptLength > lengthKept && index < kept.length - 1); index++) {
      keptLength -= kept[index]!.text.length
      surplus = Math.max(surplus, index + 1)
    }
    if (surplus > 0) kept = kept.slice(surplus)
  }

  function take(message: StreamMessage) {
    if (message.type === 'status') return // told by the control plane, which knows more
    if (message.type === 'console') {
      const [begin] = message.lines
      if (begin === undefined) return
      if (newest > 0 && begin.seq > newest + 1) tell({ type: 'console', lines: [tellGap(begin, newest)] })
      if (begin.seq <= newest) [kept, keptLength] = [[], 0] // numbered anew
      newest = message.lines.at(-1)!.seq
      const lines = show(message.lines)
      keep(lines)
      if (lines.length > 0) tell({ type: 'console', lines })
      return
    }
    tell(message)
  }

  function tell(message: ShownMessage) {
    for (const reader of readers) {
      const shown = message.type === 'console' ? newTo(reader, message) : message
      if (shown !== undefined) reader.onMessage(shown)
    }
  }

  async function followOnce(): Promise<number> {
    const supervisor = await fleet.find(serverId)
    if (supervisor === undefined || ending.signal.aborted) return missingWait
    const opened = await supervisor.openStream(newest)
    if (ending.signal.aborted) {
      opened.close()
      return 0
    }
    stream = opened
    await new Promise<void>((resolve) => {
      opened.onClose(resolve)
      opened.onMessage(take)
    })
    stream = undefined
    return Math.max(shortestWait, supervisor.consoleWait())
  }

  async function follow() {
    for (let wait = shortestWait; !ending.signal.aborted;) {
      const next = await followOnce().catch(() => undefined) // not up, or not now: tried again
      wait = next ?? Math.min(wait * 2, longestWait)
      await delay(wait, undefined, { signal: ending.signal }).catch(() => undefined)
    }
  }

  // Told all the time, or a supervisor that is still starting would be taken away before it answers.
  const tellNeed = () => void need.tell(serverId).catch(() => undefined)
  const needing = setInterval(tellNeed, need.seconds * 333)
  tellNeed()
  void follow()
  return {
    join(reader) {
      const known = newest > 0 && reader.after <= newest ? kept.filter(({ seq }) => seq > reader.after) : kept
      if (newest > 0) reader.since = 0
      if (known.length > 0) reader.onMessage({ type: 'console', lines: [...known] })
      readers.add(reader)
    },
    leave(reader) {
      readers.delete(reader)
      return readers.size > 0
    },
    close() {
      ending.abort()
      clearInterval(needing)
      stream?.close()
    },
  }
}

/** Leaves out what is typed to find the end of a command, and what the game says of it. */
function createShowing(): (lines: readonly RecordedLine[]) => ConsoleLine[] {
  const isOfFence = createFenceFinder()
  let unshown = 0
  return (lines) =>
    lines.flatMap((line) => {
      if (isOfFence(line)) {
        unshown++
        return []
      }
      const shown = unshown === 0 ? line : { ...line, unshown }
      unshown = 0
      return [shown]
    })
}

/** What of a message a reader does not have yet; the message itself for nearly all. */
function newTo(reader: Reader, message: ConsoleMessage): ConsoleMessage | undefined {
  const isResuming = reader.after > 0 && Date.now() - reader.since < resumesMilliseconds
  if (!isResuming) return message
  const lines = message.lines.filter(({ seq }) => seq > reader.after)
  if (lines.length > 0) reader.since = 0
  return lines.length === 0 ? undefined : { type: 'console', lines }
}

const tellGap = ({ seq, time }: RecordedLine, last: number): ConsoleLine => ({
  seq: seq - 1,
  time,
  stream: 'system',
  text: `Too much output at once: ${seq - last - 1} lines are left out here.`,
})
