/**
 * Keeps bots from servers. Who has played on one before is let in always; newcomers prove that they are people, by
 * staying in a waiting room as a client does, or by joining twice: always, or while bots attack, as the route says.
 * All that is remembered is bounded, whatever comes.
 */
import type { AntibotReason } from '@wakestone/contract/servers/antibot'
import { isMarked } from '@wakestone/protocol/antibot'
import type { Route } from '@wakestone/protocol/gateway'
import { addressKey, createAddressLimits, networkKey } from '../address-limits.ts'
import { type AttackRules, type AttackWatch, createAttackWatch } from './attack-watch.ts'
import { createCredit, type Credit } from './credit.ts'
import { createFigures, type Figures } from './figures.ts'
import { createRecent } from './recent.ts'

export type Comer = { name: string; address: string }
export type Guarded = Route & { antibot: NonNullable<Route['antibot']> }

export const isGuarded = (route: Route | undefined): route is Guarded => route !== undefined && route.antibot !== null

export type Verdict =
  /** Lead them on. */
  | { way: 'in'; isNewcomer: boolean }
  /** They are to prove that they are people. */
  | { way: 'prove' }
  | { way: 'away'; reason: Refused }
type Refused = Extract<AntibotReason, 'flood' | 'too_soon' | 'server_busy'>

export type GuardRules = {
  attack: AttackRules
  /** What newcomers of one address, or network, may try in a minute while they have to prove themselves. */
  perAddress: number
  perNetwork: number
  /** Newcomers that a server takes in a minute then. */
  perServer: number
  /** How long after a first join the second one counts. */
  rejoinMs: { soonest: number; latest: number }
}

export const usualRules: GuardRules = {
  attack: { newcomers: 20, alike: 10, unfinished: 40, quietMs: 120_000 },
  perAddress: 6,
  perNetwork: 20,
  perServer: 30,
  rejoinMs: { soonest: 2_000, latest: 60_000 },
}

export type Guard = {
  /** Somebody wants in; asked once for each join. */
  examine(route: Guarded, comer: Comer): Verdict
  /** They are to join again. */
  askToRejoin(route: Guarded, comer: Comer): void
  /** They have proved it some other way. @returns whether the server takes them now. */
  verify(route: Guarded, comer: Comer): boolean
  /** Somebody of Bedrock Edition, whose name is not known yet. @returns whether they may come in. */
  admitNameless(route: Guarded, address: string): boolean
  /** Newcomers have to prove themselves now. */
  isStrict(route: Guarded): boolean
  unfinished(route: Guarded): void
  turnedAway(route: Guarded, reason: AntibotReason): void
  /** They were led to the game. @returns what to call once they have left. */
  joined(route: Guarded, comer: Comer): () => void
  /** Within which a second join counts. */
  rejoinSeconds: number
  attacks(): { serverId: string; since: number }[]
  figures: Figures
  /** All that is remembered of players and servers. */
  size(): number
  close(): void
}

const MINUTE_MS = 60_000
const MOST_SERVERS = 2_000
const MOST_ASKED = 50_000
const MOST_VERIFIED = 20_000
const MOST_LEARNT = 50_000
const MOST_ADDRESSES = 50_000
const VERIFIED_MS = 10 * MINUTE_MS
const LEARNT_MS = 7 * 24 * 60 * MINUTE_MS
/** Who stays on so long has been let in by the game. */
const STAY_MS = MINUTE_MS
/** Known names from networks that they were not seen at, in a minute: games without accounts take any name. */
const MOVED_PER_MINUTE = 20

type ServerState = { watch: AttackWatch; admissions: Credit; moved: Credit }

export function createGuard(rules: GuardRules = usualRules, now: () => number = () => performance.now()): Guard {
  const figures = createFigures()
  const servers = createRecent<ServerState>({ most: MOST_SERVERS, keepMs: LEARNT_MS, now })
  /** When each of them joined first. */
  const asked = createRecent<number>({ most: MOST_ASKED, keepMs: rules.rejoinMs.latest, now })
  const verified = createRecent<true>({ most: MOST_VERIFIED, keepMs: VERIFIED_MS, now })
  /** The networks, by server and name. */
  const learnt = createRecent<string>({ most: MOST_LEARNT, keepMs: LEARNT_MS, now })
  const limitsOf = (rate: number, keyOf: (address: string) => string) =>
    createAddressLimits({
      connections: Infinity,
      rate,
      windowMs: MINUTE_MS,
      now,
      keyOf,
      remembered: MOST_ADDRESSES,
    })
  const addresses = limitsOf(rules.perAddress, addressKey)
  const networks = limitsOf(rules.perNetwork, networkKey)

  function stateOf({ serverId }: Route): ServerState {
    const state = servers.get(serverId) ?? {
      watch: createAttackWatch(rules.attack, now),
      admissions: createCredit(rules.perServer, MINUTE_MS, now),
      moved: createCredit(MOVED_PER_MINUTE, MINUTE_MS, now),
    }
    servers.set(serverId, state)
    return state
  }

  const nameKey = ({ serverId }: Route, { name }: Comer) => `${serverId} ${name.toLowerCase()}`
  const comerKey = (route: Route, comer: Comer) => `${nameKey(route, comer)} ${addressKey(comer.address)}`

  const isStrictNow = (route: Guarded, { watch }: ServerState) =>
    route.antibot.mode === 'on' || watch.since() !== undefined

  function hasPlayed(route: Guarded, { name }: Comer): boolean {
    return (
      isMarked(route.antibot.known, route.serverId, name) ||
      route.door?.whitelist?.includes(name.toLowerCase()) === true
    )
  }

  /** Whether they have been here before, as far as a name can tell that nobody has proved. */
  function isKnown(route: Guarded, comer: Comer, state: ServerState): boolean {
    const network = learnt.get(nameKey(route, comer))
    if (network === networkKey(comer.address)) return true
    if (network === undefined && !hasPlayed(route, comer)) return false
    return !isStrictNow(route, state) || state.moved.take()
  }

  function takeTry(address: string): boolean {
    for (const limits of [addresses, networks]) {
      if (limits.admit(address) !== undefined) return false
      limits.release(address)
    }
    return true
  }

  function examine(route: Guarded, comer: Comer): Verdict {
    const state = stateOf(route)
    if (isKnown(route, comer, state)) return { way: 'in', isNewcomer: false }
    const key = comerKey(route, comer)
    if (verified.get(key)) return { way: 'in', isNewcomer: true }
    const firstAt = asked.get(key)
    if (firstAt === undefined) state.watch.newcomer(comer.name, key)
    if (!isStrictNow(route, state)) return { way: 'in', isNewcomer: true }
    if (!takeTry(comer.address)) return away(route, 'flood')
    if (firstAt === undefined) return { way: 'prove' }
    if (now() - firstAt < rules.rejoinMs.soonest) return away(route, 'too_soon')
    return verify(route, comer) ? { way: 'in', isNewcomer: true } : { way: 'away', reason: 'server_busy' }
  }

  function away(route: Guarded, reason: Refused): Verdict {
    figures.count(route.serverId, reason)
    return { way: 'away', reason }
  }

  function verify(route: Guarded, comer: Comer): boolean {
    if (!stateOf(route).admissions.take()) {
      figures.count(route.serverId, 'server_busy')
      return false
    }
    const key = comerKey(route, comer)
    asked.delete(key)
    verified.set(key, true)
    figures.count(route.serverId, 'verified')
    return true
  }

  return {
    rejoinSeconds: Math.round(rules.rejoinMs.latest / 1000),
    examine,
    verify,
    askToRejoin(route, comer) {
      asked.set(comerKey(route, comer), now())
      figures.count(route.serverId, 'asked_to_rejoin')
    },
    admitNameless(route, address) {
      const state = stateOf(route)
      state.watch.newcomer(null)
      const isIn = !isStrictNow(route, state) || takeTry(address)
      figures.count(route.serverId, isIn ? 'joins' : 'flood')
      return isIn
    },
    isStrict: (route) => isStrictNow(route, stateOf(route)),
    unfinished(route) {
      stateOf(route).watch.unfinished()
      figures.count(route.serverId, 'no_login')
    },
    turnedAway: (route, reason) => figures.count(route.serverId, reason),
    joined(route, comer) {
      figures.count(route.serverId, 'joins')
      const learning = setTimeout(() => learnt.set(nameKey(route, comer), networkKey(comer.address)), STAY_MS)
      learning.unref()
      return () => clearTimeout(learning)
    },
    attacks: () =>
      [...servers.entries()].flatMap(([serverId, { watch }]) => {
        const since = watch.since()
        return since === undefined ? [] : [{ serverId, since }]
      }),
    figures,
    size: () =>
      servers.size() +
      asked.size() +
      verified.size() +
      learnt.size() +
      addresses.size() +
      networks.size() +
      figures.size(),
    close() {
      addresses.close()
      networks.close()
    },
  }
}
