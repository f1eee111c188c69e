/** Find in the console: matches in order, kept up to date as lines come and go. */

export type Match = { key: number; from: number; to: number }

/** Where `needle` stands in `text`, ignoring case. `needle` must be lower case. */
export function findInText(text: string, needle: string): { from: number; to: number }[] {
  if (needle === '') return []
  const found: { from: number; to: number }[] = []
  const haystack = text.toLowerCase()
  // A letter such as İ grows when lowered; positions would lie, so such a line is compared as it is.
  const searched = haystack.length === text.length ? haystack : text
  for (let at = searched.indexOf(needle); at >= 0; at = searched.indexOf(needle, at + needle.length))
    found.push({ from: at, to: at + needle.length })
  return found
}

type Lines = {
  size: () => number
  dropped: () => number
  at: (index: number) => { key: number; text: string } | undefined
}

export type ConsoleSearch = {
  setNeedle: (needle: string) => void
  needle: () => string
  /** Looks through what was added since the last call and forgets what has left. */
  update: (lines: Lines) => void
  matches: () => readonly Match[]
  /** Matches within one line, by its key. */
  inLine: (key: number) => readonly Match[]
}

const none: readonly Match[] = []

/** Makes an empty search. Its cost per update is that of the new lines only. */
export function createConsoleSearch(): ConsoleSearch {
  let needle = ''
  let matches: Match[] = []
  let byLine = new Map<number, Match[]>()
  let nextKey = 0
  const reset = () => {
    matches = []
    byLine = new Map()
    nextKey = 0
  }
  return {
    needle: () => needle,
    setNeedle: (next) => {
      const lowered = next.toLowerCase()
      if (lowered === needle) return
      needle = lowered
      reset()
    },
    update: (lines) => {
      if (needle === '') return
      const dropped = lines.dropped()
      let gone = 0
      while (gone < matches.length && (matches[gone]?.key ?? 0) < dropped) gone += 1
      if (gone > 0) {
        for (const match of matches.slice(0, gone)) byLine.delete(match.key)
        matches = matches.slice(gone)
      }
      const fresh: Match[] = []
      for (let index = Math.max(0, nextKey - dropped); index < lines.size(); index += 1) {
        const line = lines.at(index)
        if (line === undefined) continue
        const found = findInText(line.text, needle).map((place) => ({ key: line.key, ...place }))
        if (found.length > 0) {
          byLine.set(line.key, found)
          fresh.push(...found)
        }
      }
      if (fresh.length > 0) matches = [...matches, ...fresh]
      nextKey = dropped + lines.size()
    },
    matches: () => matches,
    inLine: (key) => byLine.get(key) ?? none,
  }
}

/** The match after (or before) the current one, round the ends. Without a current one: the newest when going back, the oldest when going on. */
export function stepMatch(matches: readonly Match[], current: Match | null, direction: 1 | -1): Match | null {
  if (matches.length === 0) return null
  const at =
    current === null ? -1 : matches.findIndex((match) => match.key === current.key && match.from === current.from)
  if (at < 0) {
    if (current === null) return (direction === 1 ? matches[0] : matches.at(-1)) ?? null
    // The current one has scrolled out of the buffer: go on from where it was.
    return (
      (direction === 1 ? matches.find((match) => match.key > current.key) : undefined) ??
      matches.at(direction === 1 ? 0 : -1) ??
      null
    )
  }
  return matches[(at + direction + matches.length) % matches.length] ?? null
}
