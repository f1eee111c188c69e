/** What the process that looks into worlds is asked to do, and what it tells. */
import type { LevelChange } from '@wakestone/minecraft/worlds/level-change'
import type { WorldEdition } from '@wakestone/protocol/world-values'

/** Paths are those of the volume, `root` is where it lies. */
export type WorldOrder = { root: string } & (
  | { kind: 'list'; edition: WorldEdition }
  /** Changed files are laid into the folder `stage` of ours. */
  | { kind: 'edit'; folder: string; change: LevelChange; stage: string }
  /** The one world below a folder of ours. */
  | { kind: 'find'; within: string; edition: WorldEdition }
  /** `stage` null: nothing is written. */
  | { kind: 'prune'; folder: string; ticks: number; stage: string | null }
)

/** A file that is laid aside, and whose place it is to take. */
export type StagedFile = { name: string; path: string }
/** The world, and folders beside it with what their names end on. */
export type WorldInArchive = { folder: string; parts: { folder: string; end: string }[] }

/** One region of a dimension. */
export type PrunedRegion = {
  /** Of its file. */
  name: string
  regions: number
  chunks: number
  unused: number
  /** That go. */
  bytes: number
  isDamaged: boolean
  /** Files that are replaced or go, by their folder; `written`: of bytes laid aside in their place. */
  files: { kind: string; name: string; staged: string | null; written: number }[]
}
