/** Looks for lines of the console that the server's owner waits for. Whoever plays can print nearly any line, but most of theirs are known as such. */
import { holdsPlayerWords } from '@wakestone/minecraft/player-words'
import { watchedLines, watchedLineLength, watchedLineSeconds } from '@wakestone/protocol/values'

/** Of longer lines the beginning is looked through. */
const LINE_LENGTH = 2000

/** `chat`: also where a player has written it; so it is where nothing is said. */
export type WatchedLine = { id: string; text: string; chat?: boolean | undefined }

export function createLineWatch(tell: (id: string) => void) {
  let mark: string | null = null
  let watched: { id: string; parts: string[]; chat: boolean; quietUntil: number }[] = []
  return {
    mark: () => mark,
    isWatching: () => watched.length > 0,
    set(lines: readonly WatchedLine[], newMark: string | null) {
      const before = new Map(watched.map(({ id, quietUntil }) => [id, quietUntil]))
      watched = lines.map(({ id, text, chat = true }) => {
        const quietUntil = before.get(id) ?? -Infinity
        return { id, parts: partsOf(text), chat, quietUntil }
      })
      mark = newMark
    },
    read(line: string, now = performance.now()) {
      const awaited = watched.filter(({ quietUntil }) => quietUntil <= now)
      if (awaited.length === 0) return
      const text = plain(line.slice(0, LINE_LENGTH))
      let isOfPlayer: boolean | undefined
      for (const one of awaited) {
        if (!holds(text, one.parts)) continue
        if (!one.chat && (isOfPlayer ??= holdsPlayerWords(line.slice(0, LINE_LENGTH)))) continue
        one.quietUntil = now + watchedLineSeconds * 1000
        tell(one.id)
      }
    },
  }
}

/** @throws TypeError for what are no lines to watch for */
export function checkWatchedLines(lines: unknown): WatchedLine[] {
  if (!Array.isArray(lines) || lines.length > watchedLines) throw new TypeError('bad lines')
  return lines.map((line: Partial<WatchedLine> | null) => {
    const { id, text, chat } = line ?? {}
    const isGood =
      typeof id === 'string' &&
      /^[\da-f-]{36}$/.test(id) &&
      typeof text === 'string' &&
      text.length <= watchedLineLength &&
      partsOf(text).length > 0 &&
      (chat === undefined || typeof chat === 'boolean')
    if (!isGood) throw new TypeError('bad lines')
    return { id, text, chat }
  })
}

/** Without colours, and without regard to case. */
// oxlint-disable-next-line no-control-regex
const plain = (text: string) => text.replace(/\x1b\[[\d;]*m/g, '').toLowerCase()

/** `*` stands for anything between two parts. */
const partsOf = (text: string) =>
  plain(text)
    .split('*')
    .filter((part) => part.trim() !== '')

/** Whether the parts stand in the text, one behind the other; the time grows with the length of the text alone. */
function holds(text: string, parts: readonly string[]): boolean {
  let from = 0
  for (const part of parts) {
    const at = text.indexOf(part, from)
    if (at === -1) return false
    from = at + part.length
  }
  return true
}
