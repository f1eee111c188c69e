/** What a task writes, line by line, however much that is. */
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TaskLine } from '../../cluster.ts'

const LINE_BYTES = 64 * 1024
const LINES_PER_SECOND = 5000
/** Kept until they are read. */
const MOST_LINES = 5000
const MOST_CHARACTERS = 8 * 1024 ** 2
const NEWLINE = 10

export type TaskLines = {
  /** To be read once. */
  lines: AsyncIterable<TaskLine>
  /** The last of what nobody has read, for a complaint. */
  tail(): string
}

export function readLines(streams: Record<TaskLine['stream'], Readable>): TaskLines {
  const kept = createQueue()
  let open = 0
  let wake = () => {}

  for (const [name, stream] of Object.entries(streams) as [TaskLine['stream'], Readable][]) {
    open++
    const split = createSplitter((text) => {
      kept.push({ stream: name, text })
      wake()
    })
    stream.on('data', (chunk: Buffer) => split.add(chunk))
    stream.on('error', () => {}) // followed by its close
    stream.on('close', () => {
      split.end()
      open--
      wake()
    })
  }

  async function* read(): AsyncGenerator<TaskLine> {
    for (let allowed = LINES_PER_SECOND, since = performance.now(); ;) {
      const line = kept.shift()
      if (line !== undefined) {
        if (--allowed <= 0) {
          const early = 1000 - (performance.now() - since)
          if (early > 0) await sleep(early)
          allowed = LINES_PER_SECOND
          since = performance.now()
        }
        yield line
      } else if (open === 0) return
      else await new Promise<void>((resolve) => (wake = resolve))
    }
  }
  return { lines: read(), tail: () => kept.last(3).join(' | ').slice(-500) }
}

/** Forgets the oldest lines when there are too many. */
function createQueue() {
  let items: TaskLine[] = []
  let first = 0
  let characters = 0

  function shift(): TaskLine | undefined {
    const line = items[first]
    if (line === undefined) return undefined
    characters -= line.text.length
    if (++first > MOST_LINES) {
      items = items.slice(first)
      first = 0
    }
    return line
  }
  return {
    shift,
    push(line: TaskLine) {
      items.push(line)
      characters += line.text.length
      while (items.length - first > MOST_LINES || characters > MOST_CHARACTERS) shift()
    },
    last: (count: number) => items.slice(Math.max(first, items.length - count)).map(({ text }) => text),
  }
}

/** Cuts bytes into lines, and long lines off. */
function createSplitter(tell: (line: string) => void) {
  let parts: Buffer[] = []
  let length = 0

  function keep(part: Buffer) {
    const room = part.subarray(0, LINE_BYTES - length)
    if (room.length > 0) parts.push(room)
    length += room.length
  }
  function end() {
    tell(Buffer.concat(parts).toString())
    parts = []
    length = 0
  }
  return {
    add(chunk: Buffer) {
      let start = 0
      for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, start)) {
        keep(chunk.subarray(start, at))
        end()
        start = at + 1
      }
      keep(chunk.subarray(start))
    },
    /** What had no end of its line is one too. */
    end: () => void (length > 0 && end()),
  }
}
