/** The top of a graph's scale: a round number, so that its half is one too. */

/** Sizes are counted in steps of 1024, players are whole. */
export type ScaleKind = 'bytes' | 'whole' | 'plain'

const steps = [1, 2, 4, 5, 10, 20, 40, 50, 100, 200, 400, 500, 1000]
const byteSteps = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512].flatMap((step) => [step, step * 1.5]).concat(1024)

/**
 * @param limit what the scale holds at least; null: what the values need
 * @param wall what values hardly pass, such as a plan's memory: the scale ends at it rather than a little beyond
 */
export function topOf(most: number, limit: number | null, kind: ScaleKind, wall: number | null = null): number {
  const least = Math.max(limit ?? 0, kind === 'whole' ? 2 : 0)
  // What comes close to its limit is at the top of the scale.
  if (most <= least) return least > 0 ? least : (wall ?? 1)
  const base = kind === 'bytes' ? 1024 : 10
  const unit = base ** Math.floor(Math.log(most) / Math.log(base))
  const step = (kind === 'bytes' ? byteSteps : steps).find((candidate) => candidate * unit >= most) ?? base
  const top = kind === 'whole' ? Math.ceil((step * unit) / 2) * 2 : step * unit
  return wall !== null && most <= wall ? Math.min(top, wall) : top
}
