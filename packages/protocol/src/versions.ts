/**
 * Versions of the protocol between control plane and supervisor. A supervisor outlives many control planes and may
 * meet an older one after a step back, so each side speaks a range: a request says its range in a header, and the
 * answer is in the newest version that both know. Whoever sends no header speaks version 1.
 *
 * Within a version, fields, paths and kinds of events may be added: what the other side does not know it leaves out,
 * answers with 404, or passes over. Paths, and what start, stop,
 * restart and kill take, are the same in every version, so a game can be ended whatever else was not understood.
 *
 *   1  the first one
 *   2  a status says which versions its supervisor speaks
 *   3  games may be frozen. Who speaks an older version could not thaw one: it is thawed as soon as they ask anything,
 *      and in what they are told it has run all the time
 */
export type VersionRange = { oldest: number; newest: number }

export const protocolVersions: VersionRange = { oldest: 1, newest: 3 }
/** From this one on games may be frozen. */
export const FREEZING_VERSION = 3
export const versionHeader = 'wakestone-protocol'

export const formatVersions = ({ oldest, newest }: VersionRange) => `${oldest}-${newest}`

/** What a header says; version 1 for none and for what is no range. */
export function readVersions(header: unknown): VersionRange {
  const [, oldest, newest] = (typeof header === 'string' && /^(\d{1,4})-(\d{1,4})$/.exec(header)) || []
  if (oldest === undefined || Number(oldest) > Number(newest)) return { oldest: 1, newest: 1 }
  return { oldest: Number(oldest), newest: Number(newest) }
}

/** The newest version that both sides speak; undefined when there is none. */
export function commonVersion(one: VersionRange, other: VersionRange): number | undefined {
  const newest = Math.min(one.newest, other.newest)
  return newest >= Math.max(one.oldest, other.oldest) ? newest : undefined
}
