/**
 * How deep a server sleeps, told from what is known of it: the one rule for the reconciler, for what is shown, and for
 * tests. Times are those of its plan (`sleep` of the product's parameters).
 */
import type { Product } from '../sales/product.ts'

export const levels = ['NEW', 'RUNNING', 'IDLE', 'LIGHT_SLEEP', 'DEEP_SLEEP', 'HIBERNATED', 'TERMINATED'] as const
export type Level = (typeof levels)[number]

/** Levels in which nobody can be in the game, and a join brings it back. */
export const sleepingLevels: readonly Level[] = ['LIGHT_SLEEP', 'DEEP_SLEEP', 'HIBERNATED']
export const isAsleep = (level: Level): boolean => sleepingLevels.includes(level)

/** Whether the game's process is there, frozen or not. */
export const hasGame: Record<Level, boolean> = {
  NEW: true,
  RUNNING: true,
  IDLE: true,
  LIGHT_SLEEP: true,
  DEEP_SLEEP: false,
  HIBERNATED: false,
  TERMINATED: false,
}

/** What keeps a game awake. The first two are told by its supervisor. */
export const awakeReasons = ['player', 'console', 'operation', 'ping', 'schedule'] as const
export type AwakeReason = (typeof awakeReasons)[number]

/** Why a server is at its level. */
export const levelCauses = [...awakeReasons, 'preparing', 'empty', 'owner', 'session_over'] as const
export type LevelCause = (typeof levelCauses)[number]

export type LevelFacts = {
  isPrepared: boolean
  /** Whether it is to be up at all: wanted by its owner, paid for, and allowed. */
  mayRun: boolean
  /** Players in the game. */
  players: number
  awake: readonly AwakeReason[]
  /** Since when nothing has kept it awake; null: something does, or nobody has told yet. */
  emptySince: Date | null
  startedAt: Date | null
  /** Kept awake until then by whoever asked for it. */
  pingUntil: Date | null
  /** When the time that it may run for nothing is over; null: it has no such end. */
  sessionEndsAt: Date | null
  /** Minutes without anybody before each level; null: never. */
  rule: Product['parameters']['sleep']
  /** Minutes after a start in which it does not sleep. */
  minutesAfterStart: number
}

export type Decision = {
  level: Level
  because: LevelCause[]
  /** When the answer changes although nothing happens; null: it does not. */
  until: Date | null
}

const minute = 60_000

/** Pure. */
export function wantedLevel(facts: LevelFacts, now: Date): Decision {
  if (!facts.isPrepared) return { level: 'NEW', because: ['preparing'], until: null }
  if (!facts.mayRun) return { level: 'TERMINATED', because: ['owner'], until: null }
  const { sessionEndsAt, pingUntil } = facts
  const isOver = sessionEndsAt !== null && sessionEndsAt <= now
  const isPinged = !isOver && pingUntil !== null && pingUntil > now
  const reasons = new Set<AwakeReason>(facts.awake)
  if (facts.players > 0) reasons.add('player')
  if (isPinged) reasons.add('ping')
  // Who was kept awake until a moment begins to sleep from there.
  const isEmpty = reasons.size === 0 && facts.emptySince !== null
  const empty = isEmpty ? sleepSince(later(facts.emptySince as Date, pingUntil), facts, now, 'empty') : undefined
  if (isOver) return deeper(sleepSince(sessionEndsAt, facts, now, 'session_over'), empty)
  const until = earliest(sessionEndsAt, earliest(isPinged ? pingUntil : null, empty?.until ?? null))
  if (empty !== undefined && isAsleep(empty.level)) return { ...empty, until }
  return {
    level: facts.players > 0 ? 'RUNNING' : 'IDLE',
    because: reasons.size > 0 ? awakeReasons.filter((reason) => reasons.has(reason)) : ['empty'],
    until,
  }
}

function deeper(one: Decision, other: Decision | undefined): Decision {
  if (other === undefined) return one
  const { level, because } = levels.indexOf(other.level) > levels.indexOf(one.level) ? other : one
  return { level, because, until: earliest(one.until, other.until) }
}

/** The level of one that nobody has needed since then. */
function sleepSince(
  since: Date,
  { rule, startedAt, minutesAfterStart }: LevelFacts,
  now: Date,
  because: LevelCause,
): Decision {
  const at = (minutes: number | null) => (minutes === null ? null : new Date(since.getTime() + minutes * minute))
  const light = at(rule.light)
  const started = startedAt === null ? null : new Date(startedAt.getTime() + minutesAfterStart * minute)
  const isOver = because === 'session_over'
  const steps: { level: Level; from: Date | null }[] = [
    { level: 'LIGHT_SLEEP', from: isOver || light === null ? null : later(light, started) },
    { level: 'DEEP_SLEEP', from: isOver ? since : at(rule.deep) },
    { level: 'HIBERNATED', from: at(rule.hibernate) },
  ]
  let level: Level = 'IDLE'
  let until: Date | null = null
  for (const step of steps) {
    if (step.from === null) continue
    if (step.from <= now) level = step.level
    else until = earliest(until, step.from)
  }
  return { level, because: [because], until }
}

const earliest = (one: Date | null, other: Date | null): Date | null =>
  one === null || (other !== null && other < one) ? other : one

const later = (time: Date, other: Date | null): Date => (other !== null && other > time ? other : time)
