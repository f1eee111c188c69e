/**
 * Terminal output as styled runs of text. Only colours and weight (SGR) are kept; every other escape sequence and
 * control character is dropped, so what a game or a player prints can never steer the page: the runs become React
 * text nodes and class names from the fixed list below.
 */

export const ansiColours = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white', 'grey'] as const
export type AnsiColour = (typeof ansiColours)[number]

export type AnsiSpan = {
  text: string
  colour: AnsiColour | null
  bold: boolean
  dim: boolean
  italic: boolean
  underline: boolean
}
type Style = Omit<AnsiSpan, 'text'>

const plain: Style = { colour: null, bold: false, dim: false, italic: false, underline: false }

// CSI sequences, OSC up to BEL or ST, other two-character escapes.
// oxlint-disable-next-line no-control-regex
const escape =
  /\u001b\[([0-9;:?<=>]*)[ -/]*([@-~])|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b[ -/]*[0-~]?|\u009b[0-9;:?]*[@-~]/g
// Controls, and the marks that reorder text (a player's name must not turn a line around).
// oxlint-disable-next-line no-control-regex
const unprintable = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
// oxlint-disable-next-line no-control-regex
const anySpecial = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/
// The game's own codes, such as §c, where an engine prints them raw.
const section = /§([0-9a-fk-or])/gi

const sectionColours: Record<string, AnsiColour> = {
  '0': 'black',
  '1': 'blue',
  '2': 'green',
  '3': 'cyan',
  '4': 'red',
  '5': 'magenta',
  '6': 'yellow',
  '7': 'white',
  '8': 'grey',
  '9': 'blue',
  a: 'green',
  b: 'cyan',
  c: 'red',
  d: 'magenta',
  e: 'yellow',
  f: 'white',
}

/** The nearest named colour of a 24-bit one. */
function nearestColour(red: number, green: number, blue: number): AnsiColour {
  const strongest = Math.max(red, green, blue)
  const weakest = Math.min(red, green, blue)
  if (strongest - weakest < 40) return strongest < 64 ? 'black' : strongest < 170 ? 'grey' : 'white'
  const limit = (strongest + weakest) / 2
  const index = (red > limit ? 1 : 0) + (green > limit ? 2 : 0) + (blue > limit ? 4 : 0)
  return ansiColours[index] ?? 'white'
}

function colourOf256(index: number): AnsiColour | null {
  if (index < 8) return ansiColours[index] ?? null
  if (index < 16) return index === 8 ? 'grey' : (ansiColours[index - 8] ?? null)
  if (index < 232) {
    const cube = index - 16
    const step = (value: number) => (value === 0 ? 0 : 55 + value * 40)
    return nearestColour(step(Math.floor(cube / 36)), step(Math.floor(cube / 6) % 6), step(cube % 6))
  }
  const grey = 8 + (index - 232) * 10
  return nearestColour(grey, grey, grey)
}

function applySgr(style: Style, parameters: string): Style {
  const codes = parameters.split(/[;:]/).map((code) => (code === '' ? 0 : Number(code)))
  let next = style
  for (let i = 0; i < codes.length; i += 1) {
    const code = codes[i] ?? 0
    if (code === 0) next = plain
    else if (code === 1) next = { ...next, bold: true }
    else if (code === 2) next = { ...next, dim: true }
    else if (code === 3) next = { ...next, italic: true }
    else if (code === 4) next = { ...next, underline: true }
    else if (code === 22) next = { ...next, bold: false, dim: false }
    else if (code === 23) next = { ...next, italic: false }
    else if (code === 24) next = { ...next, underline: false }
    else if (code === 39) next = { ...next, colour: null }
    else if (code >= 30 && code <= 37) next = { ...next, colour: ansiColours[code - 30] ?? null }
    else if (code === 90) next = { ...next, colour: 'grey' }
    else if (code >= 91 && code <= 97) next = { ...next, colour: ansiColours[code - 90] ?? null }
    else if (code === 38 || code === 48) {
      // Backgrounds are skipped with their arguments: the console keeps one ground, so that contrast holds.
      const wide = codes[i + 1] === 2
      if (code === 38) {
        const colour = wide
          ? nearestColour(codes[i + 2] ?? 0, codes[i + 3] ?? 0, codes[i + 4] ?? 0)
          : colourOf256(codes[i + 2] ?? 0)
        next = { ...next, colour }
      }
      i += wide ? 4 : 2
    }
  }
  return next
}

function applySection(style: Style, code: string): Style {
  const letter = code.toLowerCase()
  const colour = sectionColours[letter]
  if (colour !== undefined) return { ...plain, colour }
  if (letter === 'l') return { ...style, bold: true }
  if (letter === 'o') return { ...style, italic: true }
  if (letter === 'n') return { ...style, underline: true }
  return letter === 'r' ? plain : style
}

function pushRun(spans: AnsiSpan[], text: string, style: Style): void {
  const clean = text.replace(unprintable, '').replaceAll('\t', '    ')
  if (clean === '') return
  const last = spans.at(-1)
  const same =
    last !== undefined &&
    last.colour === style.colour &&
    last.bold === style.bold &&
    last.dim === style.dim &&
    last.italic === style.italic &&
    last.underline === style.underline
  if (same) last.text += clean
  else spans.push({ text: clean, ...style })
}

/** Splits one line of output into styled runs. */
export function parseAnsi(line: string): AnsiSpan[] {
  if (!anySpecial.test(line) && !line.includes('§')) return line === '' ? [] : [{ text: line, ...plain }]
  const spans: AnsiSpan[] = []
  let style = plain
  const addText = (text: string) => {
    let at = 0
    for (const match of text.matchAll(section)) {
      pushRun(spans, text.slice(at, match.index), style)
      style = applySection(style, match[1] ?? '')
      at = match.index + match[0].length
    }
    pushRun(spans, text.slice(at), style)
  }
  let at = 0
  for (const match of line.matchAll(escape)) {
    addText(line.slice(at, match.index))
    if (match[2] === 'm') style = applySgr(style, match[1] ?? '')
    at = match.index + match[0].length
  }
  addText(line.slice(at))
  return spans
}
