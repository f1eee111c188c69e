/** Words and bounds of worlds, for the files service, which does without a schema library; see `worlds.ts`. */

export const worldEditions = ['java', 'bedrock'] as const
export type WorldEdition = (typeof worldEditions)[number]

/** Most bytes of `level.dat` and the files beside it, as they lie there and unpacked. */
export const levelBytes = 8 * 1024 * 1024
export const levelTags = 200_000
/** Worlds that one answer tells, dimensions of each, and rules. */
export const worldsTold = 100
export const dimensionsTold = 60
export const rulesTold = 200
/** More ticks than anybody has asked for: a hundred days of playing. */
export const pruneTicks = 100 * 24 * 3600 * 20

/** How far looking through a dimension has come. */
export type ScanLine = {
  /** Region files looked at, of how many. */
  done: number
  total: number
  chunks: number
  /** Of these so many would go, and so many bytes with them. */
  unused: number
  bytes: number
  /** Regions that are left as they are, since chunks in them are damaged. */
  damaged: number
  /** The one that was looked at just now, with what is in it and what of that would go; null: told before. */
  region: { folder: string; x: number; z: number; chunks: number; unused: number } | null
}
