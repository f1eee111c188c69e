/** What things of ours are called on an engine, and by which labels they are found again. */
import { createHash } from 'node:crypto'

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export const label = {
  /** Which cluster of which installation: others may use the same engine. */
  cluster: 'wakestone.cluster',
  server: 'wakestone.server',
  role: 'wakestone.role',
  /** Volumes of files of ours that it uses, with commas between them. */
  content: 'wakestone.content',
  /** Of a box, among the server's. */
  box: 'wakestone.box',
  /** Ports on the machine. */
  control: 'wakestone.control',
  game: 'wakestone.game',
  /** Bytes that a supervisor and its game may take together. */
  memory: 'wakestone.memory',
  /** Of a task: the process of the product that began it. */
  owner: 'wakestone.owner',
}
/** `guard`: holds a network, and the rules around it. */
export type Role = 'server' | 'guard' | 'box' | 'content' | 'volume'

export type Names = ReturnType<typeof createNames>

/** @param installation tells installations apart: what they sign tokens with */
export function createNames({ installation, clusterId }: { installation: string; clusterId: string }) {
  const mark = createHash('sha256').update(`${installation}\n${clusterId}`).digest('hex').slice(0, 16)

  /** @throws Error for an id that is no UUID: it becomes part of names */
  function of(serverId: string): string {
    if (!UUID.test(serverId)) throw new Error('server id is not a UUID')
    return `wakestone-${serverId}`
  }
  return {
    mark,
    network: `wakestone-${mark}`,
    server: of,
    guard: (serverId: string) => `${of(serverId)}-net`,
    volume: of,
    box: (serverId: string, box: string) => `${of(serverId)}-${box}`,
    boxGuard: (serverId: string, box: string) => `${of(serverId)}-${box}-net`,
    /** Where a folder lies that a task may begin with empty. */
    folder: (serverId: string, name: string) => `${of(serverId)}-folder-${name}`,
    /** Stays empty: it covers what is not to be seen. */
    empty: `wakestone-empty-${mark}`,
    downloads: `wakestone-downloads-${mark}`,
    content: (hash: string) => `wakestone-content-${hash}`,
    labels: (role: Role, more: Record<string, string> = {}) => ({
      [label.cluster]: mark,
      [label.role]: role,
      ...more,
    }),
  }
}

/** A user of the machine whom hardly any other server has: what the kernel counts by user is counted apart. */
export const gameUserOf = (serverId: string, mapsUsers: boolean): number =>
  mapsUsers ? 1000 : 1_900_000_000 + (createHash('sha256').update(serverId).digest().readUInt32BE() % 100_000_000)
