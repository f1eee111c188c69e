/** Finding and ordering of servers in the list of somebody who has several. */
import type { Server } from '@wakestone/contract/servers/server'
import { engineName } from '#app/features/servers/server-names.ts'

/** By when they were made unless asked otherwise. */
export const serverOrders = ['name', 'players', 'expires'] as const
export type ServerOrder = (typeof serverOrders)[number]

type Listed = Pick<Server, 'name' | 'address' | 'owner_name' | 'expires' | 'created_at'> & {
  parameters: Pick<Server['parameters'], 'engine' | 'engine_version'>
  status: { players: Pick<Server['status']['players'], 'online'> }
}

const plain = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll('ł', 'l').toLowerCase()

export function arrangeServers<One extends Listed>(
  servers: readonly One[],
  { words, order, language }: { words: string; order: ServerOrder | null; language: string },
): One[] {
  const wanted = plain(words).split(/\s+/).filter(Boolean)
  const textOf = ({ name, address, owner_name, parameters: { engine, engine_version } }: One) =>
    plain([name, address, owner_name, engineName(engine), engine_version].join(' '))
  const found = servers.filter((server) => wanted.every((word) => textOf(server).includes(word)))
  if (order === null) return found
  const byName = (one: One, other: One) => one.name.localeCompare(other.name, language)
  // What never ends comes last.
  const endOf = ({ expires }: One) => (expires === null ? Infinity : Date.parse(expires))
  const compare: Record<ServerOrder, (one: One, other: One) => number> = {
    name: () => 0,
    players: (one, other) => other.status.players.online - one.status.players.online,
    expires: (one, other) => (endOf(one) === endOf(other) ? 0 : endOf(one) - endOf(other)),
  }
  return found.toSorted((one, other) => compare[order](one, other) || byName(one, other))
}
