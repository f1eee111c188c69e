/** The walls around a server that a machine may be unable to give, and what it means when one is missing. */
import type { NetworkDriver } from './network/network.ts'

export const walls = ['network', 'disk', 'memory'] as const
export type Wall = (typeof walls)[number]

export type MissingWall = { wall: Wall; why: string }

const meanings: Record<Wall, string> = {
  network:
    'servers share the network of this machine: a game reaches what listens on it for itself, its neighbours, and the private network around it',
  disk: 'a game can write more than its plan has, until the disk is full',
  memory: 'a game can take more memory, processor and processes than its plan has',
}

/** What `findOut` has learned of this machine. */
export type FoundWalls = {
  network: NetworkDriver | undefined
  /** Whether volumes can be images. */
  images: boolean
  /** Whether cgroups can be made. */
  limits: boolean
  missing: MissingWall[]
}

export const describeMissing = ({ wall, why }: MissingWall) => `no wall around the ${wall}: ${meanings[wall]} (${why})`

const NAMED = 5

/** Of servers whose volumes are folders although this machine gives quotas; undefined where there are none. */
export function describeFolders(serverIds: readonly string[]): string | undefined {
  if (serverIds.length === 0) return undefined
  const others = serverIds.length > NAMED ? ` and ${serverIds.length - NAMED} more` : ''
  return (
    `no quota yet for ${serverIds.length} volumes (${serverIds.slice(0, NAMED).join(', ')}${others}): they are moved when ` +
    'they are placed next, if the disk has room for all that they hold and 1 GiB more'
  )
}
