/** 0xrrggbb. */
export type Colour = number

/** @param share of `other`, 0–1. */
export function mix(one: Colour, other: Colour, share: number): Colour {
  const part = (shift: number) => {
    const from = (one >> shift) & 255
    return Math.round(from + (((other >> shift) & 255) - from) * share) << shift
  }
  return part(16) | part(8) | part(0)
}

export function multiply(one: Colour, other: Colour): Colour {
  const part = (shift: number) => Math.round((((one >> shift) & 255) * ((other >> shift) & 255)) / 255) << shift
  return part(16) | part(8) | part(0)
}

/** FNV-1a. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return hash >>> 0
}
