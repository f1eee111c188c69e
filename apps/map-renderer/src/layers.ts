/** Paints a surface: one picture of 512 × 512 pixels, RGBA, for each layer. */
import type { MapLayer } from '@wakestone/protocol/map-render'
import type { BiomeLook } from './colours/biomes.ts'
import { multiply, mix } from './colours/colour.ts'
import { NO_HEIGHT, SIDE, type Surface } from './surface.ts'

/** What a step up or down of the ground does to its light, as the sun stands in the northwest. */
const STEP_LIGHT = 0.06
/** Steps that are told apart: few lights make tiles small. */
const MOST_STEPS = 4
const MOON = 0x43507a
const TORCH = 0xffd9a0

/** Colours of heights, in blocks over the sea. */
const slopes: [number, number][] = [
  [-128, 0x2c1e3c],
  [-64, 0x3f3a63],
  [0, 0x3a6f7a],
  [62, 0x4f9a5f],
  [80, 0x94bf62],
  [110, 0xd8c878],
  [150, 0xb07d4e],
  [200, 0x8f8781],
  [260, 0xf4f4f4],
  [320, 0xffffff],
]
const LOWEST = -512
const heightColours = Uint32Array.from({ length: 1536 }, (_, index) => slopeColour(index + LOWEST))

function slopeColour(height: number): number {
  const next = slopes.findIndex(([at]) => at >= height)
  if (next <= 0) return slopes[next === 0 ? 0 : slopes.length - 1]![1]
  const [from, low] = slopes[next - 1]!
  const [to, high] = slopes[next]!
  return mix(low, high, (height - from) / (to - from))
}

/** @returns a picture for each of `wanted`, painted into `pictures`, which are made once and used again. */
export function paintLayers(
  surface: Surface,
  biomes: readonly BiomeLook[],
  { wanted, pictures }: { wanted: readonly MapLayer[]; pictures: Record<MapLayer, Uint8Array> },
): void {
  const { colours, heights, depths, lights, biomes: biomeOf } = surface
  for (let at = 0; at < SIDE * SIDE; at++) {
    const height = heights[at]!
    if (height === NO_HEIGHT) {
      for (const layer of wanted) pictures[layer].fill(0, at * 4, at * 4 + 4)
      continue
    }
    const depth = depths[at]!
    const look = biomes[biomeOf[at]!]!
    const shade = depth > 0 ? 1 : shadeAt(surface, at)
    const day = depth > 0 ? underWater(colours[at]!, look.water, depth) : colours[at]!
    for (const layer of wanted) {
      const picture = pictures[layer]
      if (layer === 'day') put(picture, at, day, shade)
      else if (layer === 'night') put(picture, at, atNight(day, lights[at]!), shade)
      else if (layer === 'height') put(picture, at, ofHeight(height, depth), shade)
      else put(picture, at, look.colour, 1)
    }
  }
}

/** Brighter where the ground rises from the north or the west, darker where it falls. */
function shadeAt({ heights, north }: Surface, at: number): number {
  const height = heights[at]!
  const above = at >= SIDE ? heights[at - SIDE]! : north[at]!
  const left = at % SIDE > 0 ? heights[at - 1]! : NO_HEIGHT
  const rise = (above === NO_HEIGHT ? 0 : height - above) + (left === NO_HEIGHT ? 0 : (height - left) * 0.35)
  return 1 + Math.min(MOST_STEPS, Math.max(-MOST_STEPS, Math.round(rise))) * STEP_LIGHT
}

function underWater(ground: number, water: number, depth: number): number {
  const seen = 0.5 * 0.82 ** depth
  return mix(mix(water, 0x0a1438, Math.min(0.45, depth * 0.018)), ground, seen)
}

function atNight(colour: number, light: number): number {
  const dark = multiply(colour, MOON)
  return light === 0 ? dark : mix(dark, multiply(colour, TORCH), Math.min(1, (light / 15) ** 1.4))
}

function ofHeight(height: number, depth: number): number {
  if (depth > 0) return mix(0x6fa8dc, 0x16306e, Math.min(1, depth / 40))
  const index = Math.min(heightColours.length - 1, Math.max(0, height - LOWEST))
  // Lines of height, each ten blocks.
  return height % 10 === 0 ? mix(heightColours[index]!, 0x000000, 0.12) : heightColours[index]!
}

function put(picture: Uint8Array, at: number, colour: number, light: number) {
  const start = at * 4
  picture[start] = Math.min(255, ((colour >> 16) & 255) * light)
  picture[start + 1] = Math.min(255, ((colour >> 8) & 255) * light)
  picture[start + 2] = Math.min(255, (colour & 255) * light)
  picture[start + 3] = 255
}
