import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

type Colour = readonly [red: number, green: number, blue: number]

const css = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8')

function readTheme(name: 'light' | 'dark'): Record<string, string> {
  const block = css.match(new RegExp(`\\[data-mantine-color-scheme='${name}'\\] \\{([^}]*)\\}`))?.[1] ?? ''
  return Object.fromEntries(
    Array.from(block.matchAll(/--([\w-]+):\s*([^;]+);/g), ([, key = '', value = '']) => [key, value]),
  )
}

function parse(hex: string): Colour {
  const digits = hex.match(/^#([0-9a-f]{6})$/i)?.[1]
  if (digits === undefined) throw new Error(`not a colour: ${hex}`)
  return [0, 2, 4].map((at) => Number.parseInt(digits.slice(at, at + 2), 16)) as unknown as Colour
}

/** `share` of one colour over another, as `color-mix(in srgb, …)` does. */
const mix = (over: Colour, under: Colour, share: number) =>
  over.map((value, index) => value * share + (under[index] ?? 0) * (1 - share)) as unknown as Colour

/** WCAG 2.2, relative luminance and contrast ratio. */
function luminance(colour: Colour): number {
  const [red = 0, green = 0, blue = 0] = colour.map((value) => {
    const part = value / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
function contrast(one: Colour, other: Colour): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

test('black on white is 21 to 1', () => {
  expect(contrast(parse('#000000'), parse('#ffffff'))).toBeCloseTo(21)
})

describe.each(['light', 'dark'] as const)('%s', (name) => {
  const theme = readTheme(name)
  const token = (key: string) => parse(theme[key] ?? '')
  const soft = Number.parseFloat(theme['soft'] ?? '') / 100
  const surfaces = ['ground', 'raised', 'overlay', 'sunken']
  const softened = ['lantern', 'moss', 'dusk', 'ember', 'muted']

  test('text reads on every surface: 4.5 to 1', () => {
    const faults: string[] = []
    const expectReadable = (text: string, back: string, on: Colour) => {
      const ratio = contrast(token(text), on)
      if (ratio < 4.5) faults.push(`${text} on ${back}: ${ratio.toFixed(2)}`)
    }
    for (const surface of surfaces)
      for (const text of ['text', 'muted', 'lantern-text', 'moss', 'dusk', 'ember'])
        expectReadable(text, surface, token(surface))
    // A badge: its colour on a breath of the same.
    for (const key of softened) {
      const back = mix(token(key), token('raised'), soft)
      expectReadable(key === 'lantern' ? 'lantern-text' : key, `${key}-soft`, back)
      expectReadable('text', `${key}-soft`, back)
    }
    for (const lantern of ['lantern', 'lantern-hover']) expectReadable('on-lantern', lantern, token(lantern))
    expectReadable('on-ember', 'ember', token('ember'))
    expect(faults).toEqual([])
  })

  test('controls stand out from every surface: 3 to 1', () => {
    const faults: string[] = []
    for (const surface of surfaces) {
      for (const control of ['control-line', 'lantern-line', 'moss', 'ember']) {
        const ratio = contrast(token(control), token(surface))
        if (ratio < 3) faults.push(`${control} on ${surface}: ${ratio.toFixed(2)}`)
      }
    }
    expect(faults).toEqual([])
  })
})
