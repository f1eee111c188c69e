/** Who has played on a server, as the control plane tells gateways, which are to let them in while bots attack. */
import { createHash } from 'node:crypto'

/** More players of a server are not told: those who came last count. */
export const knownPlayersLimit = 1_000
const BYTES = 6

const markOf = (serverId: string, name: string) =>
  createHash('sha256').update(`${serverId} ${name.toLowerCase()}`).digest().subarray(0, BYTES)

/** Six bytes for each, as a text: they tell no name, and differ from server to server. */
export function markPlayers(serverId: string, names: readonly string[]): string {
  return Buffer.concat(names.slice(0, knownPlayersLimit).map((name) => markOf(serverId, name))).toString('base64')
}

/** Whether a name is among them. One in 2^38 of those that are not is taken for one that is. */
export function isMarked(marks: string, serverId: string, name: string): boolean {
  if (marks === '') return false
  const bytes = Buffer.from(marks, 'base64')
  const mark = markOf(serverId, name)
  let at = bytes.indexOf(mark)
  while (at !== -1 && at % BYTES !== 0) at = bytes.indexOf(mark, at + 1)
  return at !== -1
}
