import type { PublicState } from '@wakestone/contract/states'

export type Edition = 'java' | 'bedrock'

/** What a website shows of a server, which is what anybody sees who joins it. */
export type ServerFacts = {
  address: string
  edition: Edition
  state: PublicState
  version: string
  players: number
  /** Null: as many as fit. */
  most: number | null
  /** Of those who play, a few. */
  names: readonly string[]
  /** Where its map is; null where it is not public. */
  map: string | null
  shop: string
}

/** What the script of a page asks for again and again, by server. */
export type LiveFacts = Record<string, Pick<ServerFacts, 'state' | 'players' | 'most' | 'names'>>

/** How many faces there are for players. */
const faces = 8
/** Which of them a name has: no picture of anybody's is loaded from anywhere. The script of a page counts the same. */
export const faceOf = (name: string): number =>
  [...name].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % faces

/** Players whose names a page shows. */
export const shownNames = 24
