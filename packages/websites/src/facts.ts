/** What a website shows of a server, which is what anybody sees who joins it. */
export type ServerState = 'up' | 'asleep' | 'starting' | 'down'

export type ServerFacts = {
  address: string
  state: ServerState
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

/** Players whose names a page shows. */
export const shownNames = 24
