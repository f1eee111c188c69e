/** What a person reads of one console line: the prefix the panel shows in its own way is taken off, a tone is found. */
import type { ConsoleLine } from '@wakestone/contract/servers/stream'
import { type AnsiSpan, parseAnsi } from './ansi.ts'

/** Decides a line's colour where the game gave none. */
export type Tone = 'info' | 'warn' | 'error' | 'debug' | 'good' | 'system' | 'input' | 'gap'

export type ConsoleEntry = {
  /** Rises by one per entry of this view; `seq` is the server's number. */
  key: number
  seq: number
  time: number
  stream: ConsoleLine['stream']
  spans: readonly AnsiSpan[]
  /** The spans' text in one piece: searched and copied. */
  text: string
  tone: Tone
  /** Lines that were lost before this one; the entry is then a note, not a line. */
  missing: number
}

// [12:00:00] [Server thread/INFO]: …   [12:00:00 INFO]: …   [12:00:00] [main/WARN] [mod]: …
const prefix =
  /^\[?\d{1,2}:\d{2}:\d{2}(?:[.,]\d+)?\]?\s*(?:\[(?:[^\]/]{1,80}\/)?(INFO|WARN|WARNING|ERROR|FATAL|SEVERE|DEBUG|TRACE)\]|(INFO|WARN|WARNING|ERROR|FATAL|SEVERE|DEBUG|TRACE)\])?:?\s?/
const bareLevel = /^\[?(INFO|WARN|WARNING|ERROR|FATAL|SEVERE|DEBUG|TRACE)\]?:?\s/
const stackTrace = /^(?:\s+at |Caused by: |\s*\.\.\. \d+ more|[\w.$]+(?:Exception|Error)(?::|$))/
const goodNews = /^(?:Done \([\d.,]+ ?m?s\)!|[\w.*-]{1,32} joined the game)/

const tones: Record<string, Tone> = {
  WARN: 'warn',
  WARNING: 'warn',
  ERROR: 'error',
  FATAL: 'error',
  SEVERE: 'error',
  DEBUG: 'debug',
  TRACE: 'debug',
}
const shortNames: Record<string, string> = { WARNING: 'WARN', SEVERE: 'ERROR' }

/** Removes the first `count` characters of styled text. */
function dropCharacters(spans: readonly AnsiSpan[], count: number): AnsiSpan[] {
  const rest: AnsiSpan[] = []
  let left = count
  for (const span of spans) {
    if (left >= span.text.length) left -= span.text.length
    else {
      rest.push(left === 0 ? span : { ...span, text: span.text.slice(left) })
      left = 0
    }
  }
  return rest
}

function plainSpan(text: string): AnsiSpan {
  return { text, colour: null, bold: false, dim: false, italic: false, underline: false }
}

function joinText(spans: readonly AnsiSpan[]): string {
  return spans.length === 1 ? (spans[0]?.text ?? '') : spans.map((span) => span.text).join('')
}

/** Reads one line of the server's stream. */
export function readLogLine(line: ConsoleLine, key: number): ConsoleEntry {
  const whole = parseAnsi(line.text)
  const entry = { key, seq: line.seq, time: line.time, stream: line.stream, missing: 0 }
  if (line.stream === 'system') return { ...entry, spans: whole, text: joinText(whole), tone: 'system' }
  if (line.stream === 'in')
    return { ...entry, spans: [plainSpan('> '), ...whole], text: `> ${joinText(whole)}`, tone: 'input' }
  const raw = joinText(whole)
  const match = prefix.exec(raw)
  const taken = match?.[0].length ?? 0
  const body = raw.slice(taken)
  const level = match?.[1] ?? match?.[2] ?? bareLevel.exec(body)?.[1] ?? null
  let spans: AnsiSpan[] = taken === 0 ? whole : dropCharacters(whole, taken)
  let text = body
  let tone: Tone = level === null ? 'info' : (tones[level] ?? 'info')
  // The level is said in words too, for those who do not see the colour.
  const levelIsShown = match === null || level === null || level === 'INFO'
  if (!levelIsShown) {
    const label = `[${shortNames[level] ?? level}] `
    spans = [plainSpan(label), ...spans]
    text = label + body
  }
  if (tone === 'info' && (line.stream === 'err' || stackTrace.test(body))) tone = 'error'
  if (tone === 'info' && goodNews.test(body)) tone = 'good'
  return { ...entry, spans, text, tone }
}

/** The note that stands where lines are missing. */
export function gapEntry(missing: number, before: ConsoleLine, key: number): ConsoleEntry {
  return { key, seq: before.seq - 1, time: before.time, stream: 'system', spans: [], text: '', tone: 'gap', missing }
}
