/** Players as the contract shows them: out of the game's files, and of when they came and went. */
import type { Players } from '@wakestone/contract/servers/players'
import { readBanTime } from '@wakestone/minecraft/worlds/access-lists'
import type { Players as ToldPlayers } from '@wakestone/protocol/files'
import { isLive, type ServerRow } from '#src/features/servers/servers/service.ts'
import { offlineId } from './identity.ts'
import type { TimedBan, Visitor } from './repo.ts'

const iso = (time: number | Date | null | undefined) => (time == null ? null : new Date(time).toISOString())

/** How lists are changed now. A frozen game is told as well: it is thawed by it, and goes back to sleep by itself. */
export function changedBy({ phase }: Pick<ServerRow, 'phase'>): Players['changed_by'] {
  if (phase === 'running' || phase === 'frozen') return 'commands'
  return isLive(phase) ? null : 'files'
}

export function describePlayers(
  server: ServerRow,
  told: ToldPlayers,
  {
    visitors,
    timedBans,
    takesLevels,
    seesAll,
  }: { visitors: Visitor[]; timedBans: TimedBan[]; takesLevels: boolean; seesAll: boolean },
  now = Date.now(),
): Players {
  const isBedrock = server.game === 'minecraft-bedrock'
  const ends = new Map(timedBans.map(({ kind, target, until }) => [`${kind} ${target}`, until]))
  const banOf = (kind: TimedBan['kind'], target: string, ban: { created: string; expires: string }) => ({
    created_at: iso(readBanTime(ban.created)),
    until: iso(ends.get(`${kind} ${target.toLowerCase()}`) ?? readBanTime(ban.expires)),
  })
  const isOver = ({ until }: { until: string | null }) => until !== null && Date.parse(until) <= now
  const byName = new Map(visitors.map((visitor) => [visitor.name.toLowerCase(), visitor]))
  const byId = new Map(
    visitors.flatMap((visitor) => (visitor.player_id === null ? [] : [[visitor.player_id, visitor]])),
  )
  if (!isBedrock && !told.onlineMode)
    for (const visitor of visitors) if (/^\w{1,16}$/.test(visitor.name)) byId.set(offlineId(visitor.name), visitor)
  const matched = new Set<Visitor>()
  const fromFiles = told.known.map((one) => {
    const visitor = byId.get(one.id) ?? (one.name === null ? undefined : byName.get(one.name.toLowerCase()))
    if (visitor) matched.add(visitor)
    const seen = Math.max(one.lastSeen ?? 0, visitor?.last_seen.getTime() ?? 0)
    return {
      id: one.id,
      name: one.name ?? visitor?.name ?? null,
      played_seconds: one.played ?? (visitor ? Math.round(visitor.seconds) : null),
      first_seen: iso(visitor?.first_seen),
      last_seen: seen === 0 ? null : iso(Math.min(seen, now)),
      has_data: one.hasData,
    }
  })
  const listed = new Map(
    [...told.whitelist, ...told.operators].flatMap(({ id, name }) => (name === null ? [] : [[name.toLowerCase(), id]])),
  )
  const others = visitors
    .filter((visitor) => !matched.has(visitor))
    .map((visitor) => ({
      id: visitor.player_id ?? listed.get(visitor.name.toLowerCase()) ?? null,
      name: visitor.name,
      played_seconds: Math.round(visitor.seconds),
      first_seen: iso(visitor.first_seen),
      last_seen: iso(visitor.last_seen),
      has_data: false,
    }))
  const known = [...fromFiles, ...others].toSorted((one, other) =>
    (other.last_seen ?? '').localeCompare(one.last_seen ?? ''),
  )
  const ids = new Map(known.flatMap(({ id, name }) => (name === null ? [] : [[name.toLowerCase(), id]])))
  return {
    edition: isBedrock ? 'bedrock' : 'java',
    changed_by: changedBy(server),
    takes_levels: !isBedrock && (changedBy(server) === 'files' || takesLevels),
    online_mode: told.onlineMode,
    online: server.player_names.map((name) => ({
      name,
      id: ids.get(name.toLowerCase()) ?? null,
      since: iso(byName.get(name.toLowerCase())?.since),
    })),
    whitelist_on: told.whitelistOn,
    whitelist: told.whitelist,
    operators: told.operators,
    bans: told.bans
      .map(({ id, name, source, reason, ...ban }) => ({ id, name, source, reason, ...banOf('player', name, ban) }))
      .filter((ban) => !isOver(ban)),
    address_bans: seesAll
      ? told.addressBans
          .map(({ ip, source, reason, ...ban }) => ({ ip, source, reason, ...banOf('address', ip, ban) }))
          .filter((ban) => !isOver(ban))
      : null,
    known,
    truncated: told.truncated,
  }
}
