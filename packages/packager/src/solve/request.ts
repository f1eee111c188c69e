/** What the solver is asked. */
import type { Manifest } from '../manifest.ts'
import type { Selector } from '../selector.ts'

/** A release that could be had. */
export type Candidate = {
  manifest: Manifest
  channel: 'stable' | 'latest' | 'private'
  /** Taken back by its author or by a moderator: no new server gets it. */
  withdrawn: boolean
}

/** Something that has to be there in the end, and on whose behalf. */
export type Wish = {
  selector: Selector
  of: 'owner' | 'engine' | 'game' | 'java'
}

export type SolveRequest = {
  /** Every release that any of the wishes leads to, of each package in any order. */
  candidates: readonly Candidate[]
  wishes: readonly Wish[]
  /** Hashes of the manifests that are installed, in the order of how much they should stay. */
  locked: readonly string[]
  /** Names that should be as new as can be, before anything is kept. */
  update?: readonly string[]
  /** Nogoods that may be looked at; unset: enough for thousands of packages. */
  maxSteps?: number
}

export const MAX_STEPS = 20_000_000
