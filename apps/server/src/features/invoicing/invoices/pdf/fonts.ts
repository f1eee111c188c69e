/**
 * Inter, which comes in a part for each group of alphabets. Each part is read and taken apart once in a process: that is
 * most of the time that a page would take.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { create, type Font, type GlyphRun } from 'fontkit'
import { unpackWoff } from './woff.ts'

export type Weight = 400 | 600 | 700

const alphabets = [
  [
    'latin',
    /[\u0020-\u007e\u00a0-\u00ff\u0131\u0152\u0153\u2013\u2014\u2018-\u201e\u2020-\u2022\u2026\u2039\u203a\u20ac\u2122]/u,
  ],
  ['latin-ext', /[\u0100-\u024f\u1e00-\u1e9f\u20a0-\u20ab\u20ad-\u20cf]/u],
  ['cyrillic', /[\u0400-\u045f\u0490\u0491]/u],
  ['cyrillic-ext', /[\u0460-\u052f]/u],
  ['greek', /[\u0370-\u03ff]/u],
  ['vietnamese', /[\u1ea0-\u1ef9\u20ab]/u],
] as const
export type Part = (typeof alphabets)[number][0]

const fonts = new Map<string, Font>()

/** A part of the font; the same object each time. */
export function fontOf(part: Part, weight: Weight): Font {
  const name = `${part}-${weight}`
  const known = fonts.get(name) ?? read(name)
  fonts.set(name, known)
  return known
}

function read(name: string): Font {
  const path = fileURLToPath(import.meta.resolve(`@fontsource/inter/files/inter-${name}-normal.woff`))
  const font = create(unpackWoff(readFileSync(path))) as Font // a collection has other files
  // A glyph stands for the letter by which it was first asked for, which is what is copied from the page: in their
  // order, so that it does not depend on what was printed before.
  for (const letter of font.characterSet.toSorted((one, other) => one - other)) font.glyphForCodePoint(letter)
  return rememberWords(font)
}

const mostWords = 4_000

/**
 * Sets each word once: documents are made of the same ones. Letters stand as they were written: no arrow for `->`, which
 * would also take most of the time. Figures of amounts are of one width, so that they stand
 * under each other; that would also widen the hyphens of names and numbers.
 */
function rememberWords(font: Font): Font {
  const set = font.layout.bind(font)
  const known = new Map<string, GlyphRun>()
  font.layout = (word: string) => {
    const run = known.get(word) ?? set(word, { calt: false, tnum: /\d/.test(word) && !/.-/.test(word) })
    if (known.size >= mostWords) known.clear()
    known.set(word, run)
    // Whoever asks measures in units of their own, and writes them into the positions.
    return Object.assign(Object.create(Object.getPrototypeOf(run) as object) as GlyphRun, run, {
      positions: run.positions.map((position) => ({ ...position })),
    })
  }
  return font
}

/** Letters that no part has become a question mark: better than a box, and the XML has them. */
export function runsOf(words: string): { part: Part; text: string }[] {
  const runs: { part: Part; text: string }[] = []
  for (const letter of words
    .normalize('NFC')
    .replace(/[\u202f\u2007-\u200a]/g, '\u00a0')
    .replaceAll('\u2212', '-')) {
    const part = alphabets.find(([, letters]) => letters.test(letter))?.[0]
    const run = runs.at(-1)
    if (run !== undefined && (part === run.part || letter === ' ')) run.text += part === undefined ? '?' : letter
    else runs.push({ part: part ?? 'latin', text: part === undefined ? '?' : letter })
  }
  return runs
}
