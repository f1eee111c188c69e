/** Search by name, by our own walk, and in content, by `grep`. Both tell what they find as they go, and end with who asked. */
import {
  nameOfBytes,
  ownFolders,
  searchHits,
  searchTextLength,
  hitLength,
  type SearchLine,
} from '@wakestone/protocol/file-values'
import { typeOf } from './describe.ts'
import { FileError } from './errors.ts'
import type { Lines } from './lines.ts'
import { lookAt } from './placing.ts'
import { startTool } from './tool.ts'
import { openFolderIn, type Folder, type Volume } from './volume.ts'
import { walk } from './walk.ts'

export type SearchOptions = {
  path: string
  /** Part of a name, or a pattern with `*` and `?`; ''  finds all. */
  name: string
  content: string
  matchCase: boolean
  isRegex: boolean
  hidden: boolean
}

/** Of one file no more are told. */
const HITS_PER_FILE = 200
/** What of a line is looked at for where its hit is. */
const LONGEST_LINE = 64 * 1024

export async function search(volume: Volume, options: SearchOptions, lines: Lines): Promise<{ truncated: boolean }> {
  if (options.name.length > searchTextLength || options.content.length > searchTextLength)
    throw new FileError('invalid_request', { content: 'too_long' })
  if (/[\0\n\r]/.test(options.content) || options.name.includes('\0'))
    throw new FileError('invalid_request', { content: 'invalid' })
  return options.content === '' ? searchNames(volume, options, lines) : searchContent(volume, options, lines)
}

async function searchNames(volume: Volume, { path, name, matchCase, hidden }: SearchOptions, lines: Lines) {
  const matches = createNameTest(name, matchCase)
  let hits = 0
  const ended = new Error('enough')
  try {
    await walk(volume, path, {
      async turn() {
        if (!(await lines.breathe())) throw ended
      },
      visit({ name: found, path: at, stats }) {
        if (at === path) return true
        if (!hidden && found.startsWith('.')) return false
        if (matches(found)) {
          lines.add([at, typeOf(stats)] satisfies SearchLine)
          if (++hits >= searchHits) throw ended
        }
        return true
      },
    })
  } catch (error) {
    if (error !== ended) throw error
    return { truncated: true }
  }
  return { truncated: false }
}

async function searchContent(volume: Volume, options: SearchOptions, lines: Lines): Promise<{ truncated: boolean }> {
  const { path, content, matchCase, isRegex, hidden, name } = options
  const isPlainEnough = matchCase || /^[\0-\x7f]*$/.test(content)
  // Without an encoding to mind it is many times faster, and texts of any are looked into.
  const env = { LC_ALL: isPlainEnough ? 'C' : 'C.UTF-8' }
  const pattern = [isRegex ? '-E' : '-F', ...(matchCase ? [] : ['-i']), '-e', content]
  if (isRegex) await checkPattern(pattern, env)
  using place = volume.find(path, 'read', { followLast: true })
  const isFolder = place.name === '.' || lookAt(place.folder, place.name)?.isDirectory() === true
  if (!isFolder && !lookAt(place.folder, place.name)?.isFile()) throw new FileError('file_does_not_exist', { path })
  using folder: Folder = openFolderIn(place.folder, isFolder ? place.name : '.')
  const ours = place.path === '' ? ownFolders.map((own) => `--exclude-dir=${own}`) : []
  const passedOver = hidden ? ours : ['--exclude-dir=.?*', '--exclude=.*']
  // The first one of them: else what fits none is looked into as well.
  const only = name === '' ? [] : [`--include=${toGlob(name, matchCase)}`]
  const where = isFolder ? ['-r', ...only, ...passedOver, '--', '.'] : ['--', `./${place.name}`]
  const tool = startTool(
    'grep',
    ['-HnIZ', '--color=never', '-D', 'skip', '-m', String(HITS_PER_FILE), ...pattern, ...where],
    {
      cwd: `/proc/self/fd/${folder.fd}`,
      env,
      nice: 5,
    },
  )
  const base = isFolder ? place.path : place.path.slice(0, -place.name.length).replace(/\/$/, '')
  const cut = createCutter(isRegex ? '' : content, matchCase)
  let hits = 0
  const reader = createHitReader((found, line, text) => {
    const told = toldPath(found)
    lines.add([base === '' ? told : `${base}/${told}`, 'file', line, cut(text)] satisfies SearchLine)
    hits++
  })
  try {
    for await (const chunk of tool.out as AsyncIterable<Buffer>) {
      reader(chunk)
      lines.flush()
      if (hits >= searchHits || !(await lines.breathe())) return { truncated: true }
    }
  } finally {
    tool.end()
    await tool.ended
  }
  return { truncated: false }
}

async function checkPattern(pattern: string[], env: Record<string, string>): Promise<void> {
  const { ended, out } = startTool('grep', [...pattern, '/dev/null'], { env })
  out.resume()
  if (((await ended).code ?? 2) > 1) throw new FileError('invalid_request', { content: 'invalid' })
}

/** As `grep -HnZ` writes them: name, zero, number, colon, text. Of a line of any length a part is held. */
export function createHitReader(onHit: (name: Buffer, line: number, text: Buffer) => void): (chunk: Buffer) => void {
  let held = Buffer.alloc(0)
  let isCut = false
  return (chunk) => {
    let bytes = chunk
    if (isCut) {
      // The rest of a line that was too long.
      const end = bytes.indexOf(10)
      if (end < 0) return
      finish(held)
      held = Buffer.alloc(0)
      isCut = false
      bytes = bytes.subarray(end + 1)
    }
    if (held.length > 0) bytes = Buffer.concat([held, bytes])
    let start = 0
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
      // A name may hold the end of a line.
      const zero = bytes.indexOf(0, start)
      if (zero > end) end = bytes.indexOf(10, zero)
      if (zero < 0 || end < 0) break
      finish(bytes.subarray(start, end))
      start = end + 1
    }
    held = Buffer.from(bytes.subarray(start, start + LONGEST_LINE))
    isCut = bytes.length - start > LONGEST_LINE
  }

  function finish(line: Buffer) {
    const zero = line.indexOf(0)
    const colon = zero < 0 ? -1 : line.indexOf(0x3a, zero)
    if (colon < 0) return
    onHit(line.subarray(0, zero), Number(line.toString('latin1', zero + 1, colon)), line.subarray(colon + 1))
  }
}

function toldPath(bytes: Buffer): string {
  return bytes
    .toString('latin1')
    .replace(/^\.\//, '')
    .split('/')
    .map((part) => nameOfBytes(Buffer.from(part, 'latin1')))
    .join('/')
}

/** The part of a line around its hit. */
function createCutter(content: string, matchCase: boolean): (line: Buffer) => string {
  const wanted = matchCase ? content : content.toLowerCase()
  return (line) => {
    const text = line.toString().replace(/\r$/, '')
    if (text.length <= hitLength) return text
    const at = wanted === '' ? 0 : Math.max(0, (matchCase ? text : text.toLowerCase()).indexOf(wanted))
    const start = Math.max(0, Math.min(at - (hitLength - wanted.length) / 2, text.length - hitLength))
    return text.slice(Math.trunc(start), Math.trunc(start) + hitLength).toWellFormed()
  }
}

/** `*` and `?` as in a shell; a word without them is looked for anywhere in the name. */
export function createNameTest(pattern: string, matchCase: boolean): (name: string) => boolean {
  const fold = (text: string) => (matchCase ? text : text.toLowerCase())
  const wanted = fold(pattern)
  if (!/[*?]/.test(wanted)) return (name) => fold(name).includes(wanted)
  return (name) => fitsGlob(wanted, fold(name))
}

/** In time that grows with the lengths of both, whatever the pattern. */
export function fitsGlob(pattern: string, text: string): boolean {
  let [at, star, mark] = [0, -1, 0]
  for (let index = 0; index < text.length;) {
    if (pattern[at] === '*') [star, mark] = [at++, index]
    else if (at < pattern.length && (pattern[at] === '?' || pattern[at] === text[index]))
      [at, index] = [at + 1, index + 1]
    else if (star < 0) return false
    else [at, index] = [star + 1, ++mark]
  }
  while (pattern[at] === '*') at++
  return at === pattern.length
}

/** The same test for `grep`. */
function toGlob(name: string, matchCase: boolean): string {
  const isGlob = /[*?]/.test(name)
  const literal = name.replace(isGlob ? /[\\[\]]/g : /[\\[\]*?]/g, String.raw`\$&`)
  const folded = matchCase
    ? literal
    : literal.replace(/[a-z]/gi, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`)
  return isGlob ? folded : `*${folded}*`
}
