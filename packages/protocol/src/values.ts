/** Words and bounds that supervisors use as well: they do without a schema library, which weighs more than all of them. */

/** What keeps a game from being frozen or stopped for want of players: one who plays, somebody who watches its console. */
export const awakeReasons = ['player', 'console'] as const
export type AwakeReason = (typeof awakeReasons)[number]

/** Most names, and most addresses, of a list that a door event tells. */
export const doorEntriesKept = 1000
/** Longest text component of a face, as JSON, and longest icon, as a data URL. */
export const descriptionLength = 4 * 1024
export const iconLength = 24 * 1024

/** Snapshots of one server that are told of, the length of their names, and paths that a clearing may spare. */
export const snapshotsTold = 20
export const snapshotIdLength = 64
export const pathsKept = 100

/** Text files of a game that may be read and written by `/v1/file`. */
export const knownFiles = [
  'server.properties',
  'whitelist.json',
  'ops.json',
  'banned-players.json',
  'banned-ips.json',
] as const
export type KnownFile = (typeof knownFiles)[number]

/** Larger ones are neither read nor written. */
export const knownFileBytes = 256 * 1024
