/**
 * The picture of a website whose owner has sent none: a landscape of blocks, drawn here and coloured by its look. It is part
 * of the page, so that nothing is loaded for it.
 */
import { createElement as h, type ReactNode } from 'react'
import type { WebsiteTheme } from '@wakestone/contract/websites/content'

/** What of a landscape has a colour of its own; each look says which (`sceneColours`). */
export const tones = ['orb', 'star', 'far', 'mid', 'near', 'turf', 'wall', 'roof', 'leaf', 'water', 'light'] as const
export type Tone = (typeof tones)[number]

/** In blocks. Phones see the middle third. */
const width = 160
const height = 40

type Brush = {
  box(tone: Tone, x: number, y: number, w: number, h?: number): void
  /** Ground up to a skyline. */
  ground(tone: Tone, top: (x: number) => number): void
}

/** A skyline in steps of whole blocks: two waves, that no two ridges have alike. */
const ridge =
  (base: number, rise: number, start: number, stretch = 1) =>
  (x: number): number =>
    Math.round(base - rise * (Math.sin((x / stretch + start) / 9) + 0.6 * Math.sin((x / stretch + start * 2) / 4.1)))

/** Numbers that look drawn by lot and are the same each time. */
const lot = (seed: number): number => {
  const value = Math.sin(seed * 127.1) * 43_758.5453
  return value - Math.floor(value)
}

function scatter(brush: Brush, tone: Tone, { count, lowest, seed }: { count: number; lowest: number; seed: number }) {
  for (let at = 0; at < count; at++) {
    const size = lot(seed + at * 3 + 2) > 0.8 ? 0.6 : 0.35
    brush.box(tone, Math.round(lot(seed + at * 3) * width), Math.round(lot(seed + at * 3 + 1) * lowest), size, size)
  }
}

function cloud(brush: Brush, x: number, y: number, size = 1) {
  brush.box('star', x, y, 12 * size, 1.5 * size)
  brush.box('star', x + 2 * size, y - 1.5 * size, 6 * size, 1.5 * size)
}

function oak(brush: Brush, x: number, ground: number, size = 1) {
  brush.box('wall', x, ground - 4 * size, 1, 4 * size)
  brush.box('leaf', x - 2 * size, ground - 6 * size, 4 * size + 1, 3 * size)
  brush.box('leaf', x - size, ground - 7 * size, 2 * size + 1, size)
}

function pine(brush: Brush, x: number, { foot, tiers, tone = 'leaf' }: { foot: number; tiers: number; tone?: Tone }) {
  brush.box(tone === 'leaf' ? 'wall' : tone, x, foot - 2, 1, 2)
  for (let tier = 0; tier < tiers; tier++) {
    const half = Math.max(0, Math.ceil((tiers - tier) * 0.75) - (tier % 2))
    brush.box(tone, x - half, foot - 2 - (tier + 1) * 1.5, half * 2 + 1, 1.5)
  }
}

/** @param x of its left wall */
function cabin(brush: Brush, x: number, ground: number) {
  brush.box('wall', x, ground - 6, 11, 7)
  brush.box('roof', x - 1, ground - 7, 13)
  brush.box('roof', x, ground - 8, 11)
  brush.box('roof', x + 2, ground - 9, 7)
  brush.box('roof', x + 8, ground - 11, 1.5, 3)
  brush.box('light', x + 1.5, ground - 4.5, 2, 2)
  brush.box('light', x + 7.5, ground - 4.5, 2, 2)
  brush.box('roof', x + 4.5, ground - 4, 2, 4)
}

/** A post with a lantern on an arm. */
function lantern(brush: Brush, x: number, ground: number) {
  brush.box('roof', x, ground - 5, 0.6, 5)
  brush.box('roof', x, ground - 5, 2, 0.5)
  brush.box('light', x + 1.2, ground - 4.3, 1.1, 1.3)
}

/** Ground with its turf, and level where something stands on it. */
function meadow(brush: Brush, { base, flat = [] }: { base: number; flat?: [from: number, to: number, at: number][] }) {
  const wave = ridge(base, 1.4, 20, 1.6)
  const top = (x: number) => flat.find(([from, to]) => x >= from && x < to)?.[2] ?? wave(x)
  brush.ground('near', top)
  for (let x = 0; x < width; x++) brush.box('turf', x, top(x), 1.02)
  return top
}

const scenes: Record<WebsiteTheme['look'], (brush: Brush) => void> = {
  lantern(brush) {
    scatter(brush, 'star', { count: 70, lowest: 22, seed: 5 })
    brush.box('orb', 97, 3, 5, 5)
    brush.ground('far', ridge(22, 3.4, 4, 1.5))
    brush.ground('mid', ridge(27, 2.6, 41, 1.2))
    const top = meadow(brush, {
      base: 33,
      flat: [
        [58, 76, 33],
        [88, 104, 32],
        [28, 42, 34],
        [122, 138, 33],
      ],
    })
    for (const x of [10, 22, 48, 112, 146, 154]) oak(brush, x, top(x))
    pine(brush, 80, { foot: top(80), tiers: 7 })
    cabin(brush, 61, 33)
    cabin(brush, 91, 32)
    cabin(brush, 30, 34)
    cabin(brush, 125, 33)
    for (const x of [56, 86, 106, 45, 118]) lantern(brush, x, top(x))
  },
  daylight(brush) {
    brush.box('orb', 96, 5, 6, 6)
    cloud(brush, 30, 10)
    cloud(brush, 62, 5, 0.8)
    cloud(brush, 118, 8)
    cloud(brush, 84, 14, 0.6)
    brush.ground('far', ridge(23, 3.8, 90, 1.8))
    brush.ground('mid', ridge(28, 2.4, 12, 1.4))
    const top = meadow(brush, {
      base: 33,
      flat: [
        [70, 88, 33],
        [24, 40, 33],
      ],
    })
    cabin(brush, 73, 33)
    cabin(brush, 26, 33)
    for (const x of [6, 16, 50, 60, 93, 101, 115, 132, 140, 152]) oak(brush, x, top(x), lot(x) > 0.5 ? 1 : 1.25)
    for (let x = 3; x < width; x += 4) if (lot(x) > 0.45) brush.box('light', x, top(x) - 0.8, 0.8, 0.8)
  },
  forest(brush) {
    scatter(brush, 'star', { count: 30, lowest: 16, seed: 9 })
    brush.box('orb', 64, 4, 5, 5)
    brush.ground('far', ridge(24, 2.2, 60, 1.3))
    for (let x = 2; x < width; x += 5)
      pine(brush, x, { foot: ridge(24, 2.2, 60, 1.3)(x) + 2, tiers: 5 + Math.round(lot(x) * 3), tone: 'far' })
    brush.ground('mid', ridge(29, 1.8, 15, 1.2))
    for (let x = 4; x < width; x += 7)
      pine(brush, x, { foot: ridge(29, 1.8, 15, 1.2)(x) + 2, tiers: 6 + Math.round(lot(x + 1) * 4), tone: 'mid' })
    const top = meadow(brush, { base: 34, flat: [[74, 94, 34]] })
    for (const x of [4, 14, 21, 33, 46, 55, 64, 102, 110, 121, 129, 143, 153])
      pine(brush, x, { foot: top(x), tiers: 7 + Math.round(lot(x) * 5) })
    cabin(brush, 77, 34)
    for (const x of [70, 95]) lantern(brush, x, top(x))
    for (let at = 0; at < 26; at++) brush.box('light', lot(at + 300) * width, 22 + lot(at + 400) * 11, 0.4, 0.4)
  },
  ocean(brush) {
    brush.box('orb', 62, 6, 6, 6)
    cloud(brush, 24, 8)
    cloud(brush, 92, 5, 0.8)
    cloud(brush, 126, 11)
    brush.ground('far', (x) => Math.max(ridge(26, 3.4, 30, 2)(x), 21))
    brush.box('water', 0, 28, width, height - 28)
    for (let at = 0; at < 60; at++)
      brush.box(
        'star',
        Math.round(lot(at + 50) * width),
        29 + Math.round(lot(at + 150) * 20) / 2,
        2 + lot(at) * 4,
        0.35,
      )
    const island = (middle: number, half: number) => {
      for (let step = 0; step < 4; step++)
        brush.box(step === 3 ? 'turf' : 'near', middle - half + step * 2, 31 - step, (half - step * 2) * 2)
    }
    island(96, 14)
    island(40, 11)
    island(134, 12)
    // A lighthouse: it is lit by day too.
    brush.box('wall', 99, 14, 4, 14)
    brush.box('roof', 99, 17, 4, 2)
    brush.box('roof', 99, 22, 4, 2)
    brush.box('roof', 98.5, 13.5, 5, 0.6)
    brush.box('light', 99.5, 11, 3, 2.5)
    brush.box('roof', 99, 10, 4)
    for (const [x, size] of [
      [90, 1],
      [36, 1.2],
      [45, 0.9],
      [131, 1.1],
      [139, 1],
    ] as const)
      oak(brush, x, 28, size)
    // A boat.
    brush.box('roof', 66, 32, 12, 1.2)
    brush.box('roof', 67, 33.2, 10)
    brush.box('wall', 71.5, 24, 0.7, 8)
    brush.box('star', 72.6, 25, 2)
    brush.box('star', 72.6, 26, 3.4, 2)
    brush.box('star', 72.6, 28, 4.6, 2.6)
  },
  ember(brush) {
    for (let at = 0; at < 60; at++) brush.box('light', lot(at + 20) * width, lot(at + 70) * 30, 0.4, 0.4)
    brush.ground('far', ridge(24, 3, 70, 0.9))
    // A volcano, and what runs down from it.
    for (let step = 0; step < 18; step++) brush.box('mid', 74 - step * 1.6, 12 + step, 14 + step * 3.2, 1.02)
    brush.box('orb', 76, 11.4, 10)
    for (const [x, y, length] of [
      [77, 12, 9],
      [80, 12, 15],
      [84, 12, 6],
      [82, 20, 8],
    ] as const)
      brush.box('orb', x, y, 1.6, length)
    brush.ground('mid', ridge(30, 2.2, 8, 1.1))
    const top = meadow(brush, { base: 34 })
    brush.box('water', 66, 33, 28, height - 33)
    brush.box('light', 66, 33, 28, 0.6)
    for (const x of [22, 50, 104, 132]) {
      brush.box('wall', x, 21, 8, 18)
      for (const part of [0, 3, 6]) brush.box('wall', x + part, 19.5, 2, 1.5)
      brush.box('light', x + 3.2, 24, 1.6, 2.4)
    }
    brush.box('wall', 22, 26, 36, 2)
    brush.box('wall', 104, 26, 34, 2)
    for (const x of [8, 44, 98, 148]) lantern(brush, x, top(x))
  },
  frost(brush) {
    brush.box('orb', 64, 6, 5, 5)
    scatter(brush, 'star', { count: 90, lowest: 36, seed: 12 })
    const peaks = (x: number) => 26 - Math.round(9 * Math.max(0, 1 - Math.abs(((x + 6) % 34) - 17) / 15))
    brush.ground('far', peaks)
    for (let x = 0; x < width; x++) if (peaks(x) < 22) brush.box('turf', x, peaks(x), 1.02, 1 + ((x * 7) % 3))
    brush.ground('mid', ridge(29, 2.2, 33, 1.3))
    const top = meadow(brush, { base: 33, flat: [[82, 100, 33]] })
    for (const x of [5, 14, 24, 30, 44, 56, 70, 76, 104, 113, 127, 138, 150]) {
      pine(brush, x, { foot: top(x), tiers: 6 + Math.round(lot(x) * 4) })
      brush.box('turf', x - 1, top(x) - 5, 3, 0.5)
    }
    cabin(brush, 85, 33)
    brush.box('turf', 84, 25.6, 13, 0.6)
    lantern(brush, 80, top(80))
  },
  void(brush) {
    scatter(brush, 'star', { count: 110, lowest: 38, seed: 31 })
    brush.box('orb', 95, 4, 7, 7)
    const island = (middle: number, y: number, half: number) => {
      brush.box('turf', middle - half, y, half * 2)
      for (let step = 1; step < half; step++)
        brush.box(step > half / 2 ? 'mid' : 'near', middle - half + step, y + step, (half - step) * 2, 1.02)
    }
    for (const [x, y, half] of [
      [18, 18, 7],
      [50, 14, 5],
      [112, 17, 6],
      [146, 15, 8],
    ] as const)
      island(x, y, half)
    brush.ground('far', ridge(34, 2, 17, 1.1))
    island(80, 28, 22)
    island(32, 30, 12)
    island(130, 29, 13)
    for (const [x, foot, tall] of [
      [64, 28, 11],
      [72, 28, 15],
      [90, 28, 13],
      [97, 28, 9],
      [30, 30, 10],
      [128, 29, 12],
    ] as const) {
      brush.box('wall', x, foot - tall, 3, tall)
      brush.box('light', x + 0.7, foot - tall - 2.2, 1.6, 1.6)
    }
    cabin(brush, 77, 28)
  },
}

type Stroke = { tone: Tone; path: string }

function draw(look: WebsiteTheme['look']): Stroke[] {
  const strokes: Stroke[] = []
  const add = (tone: Tone, path: string) => {
    const last = strokes.at(-1)
    if (last?.tone === tone) last.path += path
    else strokes.push({ tone, path })
  }
  const short = (value: number) => String(Math.round(value * 10) / 10)
  scenes[look]({
    box: (tone, x, y, w, tall = 1) => add(tone, `M${short(x)} ${short(y)}h${short(w)}v${short(tall)}h${short(-w)}z`),
    ground(tone, top) {
      let path = `M0 ${height}`
      let before = Number.NaN
      for (let x = 0; x < width; x++) {
        const y = top(x)
        if (y !== before) path += `${x === 0 ? '' : `H${x}`}V${y}`
        before = y
      }
      add(tone, `${path}H${width}V${height}z`)
    },
  })
  return strokes
}

const drawn = new Map<string, Stroke[]>()

/** Decoration: whoever cannot see it misses nothing. */
export function showScene(look: WebsiteTheme['look']): ReactNode {
  const strokes = drawn.get(look) ?? draw(look)
  drawn.set(look, strokes)
  return h(
    'svg',
    {
      className: 'ws-scene',
      viewBox: `0 0 ${width} ${height}`,
      preserveAspectRatio: 'xMidYMax slice',
      'aria-hidden': true,
      focusable: false,
    },
    strokes.map(({ tone, path }, index) => h('path', { key: index, className: `ws-${tone}`, d: path })),
  )
}
