/** Words and bounds that supervisors use as well: they do without a schema library, which weighs more than all of them. */

/**
 * What keeps a game from being frozen or stopped for want of players: one who plays, somebody who watches its console,
 * somebody who reads its files while its world is held.
 */
export const awakeReasons = ['player', 'console', 'operation'] as const
export type AwakeReason = (typeof awakeReasons)[number]

/** Whether a world is held still: not, it is being written first, it is. */
export const worldHolds = ['none', 'saving', 'held'] as const
export type WorldHold = (typeof worldHolds)[number]

/** Most names, and most addresses, of a list that a door event tells. */
export const doorEntriesKept = 1000
/** Longest text component of a face, as JSON, and longest icon, as a data URL. */
export const descriptionLength = 4 * 1024
export const iconLength = 24 * 1024

/** Snapshots of one server that are told of, the length of their names, and paths that a clearing may spare. */
export const snapshotsTold = 20
export const snapshotIdLength = 64
export const pathsKept = 100

/** Lines of a console that are watched for: how many kinds of one server, the length of each, and how often each is told of. */
export const watchedLines = 20
export const watchedLineLength = 200
export const watchedLineSeconds = 60

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

/** MySQL of a server: the one database, its user, and where the game reaches it, which is nowhere but inside. */
export const mysqlName = 'minecraft'
export const mysqlPort = 3306
/** Characters of a table's or a column's name. */
export const mysqlNameLength = 64
/** Tables that are told of, rows of a page, and how much of each value is told. */
export const mysqlTables = 500
export const mysqlRows = 50
export const mysqlColumns = 200
export const mysqlValueLength = 500
/** Its tables as statements, at the top of the volume while a backup is made or restored. */
export const mysqlDump = '.mysql.sql'
export const mysqlWorks = ['dump', 'load', 'undo', 'forget'] as const
export type MysqlWork = (typeof mysqlWorks)[number]
