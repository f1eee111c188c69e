/**
 * Where players are. The game is asked on its console, only while somebody wants to know, at most once in some seconds for
 * all who do, and no more where it does not answer. What it answers is no line of the console: nobody typed anything.
 */
import type { PlayerPosition } from '@wakestone/protocol/supervisor'
import { entityQuestions, isEntityRefusal, isPlainName, readEntityData } from '@wakestone/minecraft/entity-data'

const ASK_MS = 5_000
const WAIT_MS = 1_500
/** Each is two commands: of more players some are asked at a time. */
const MOST_ASKED = 20
/** After so many questions in a row without an answer the game is asked no more until it starts anew. */
const MOST_SILENT = 3
/** What somebody was last known to be is told no longer than this. */
const KEPT_MS = 60_000

type Known = { position?: [number, number, number]; dimension?: string; at: number }

export function createPositions({
  type,
  names,
  waitMs = WAIT_MS,
  askMs = ASK_MS,
}: {
  /** Types a line into a game that reads; false when none does. */
  type: (line: string) => boolean
  /** Who plays. */
  names: () => readonly string[]
  waitMs?: number
  askMs?: number
}) {
  const known = new Map<string, Known>()
  let pending: Set<string> | undefined
  let settle: (() => void) | undefined
  let asking: Promise<void> | undefined
  let askedAt = -Infinity
  let silent = 0
  let next = 0

  function forgetGone(now: number) {
    const online = new Set(names())
    for (const [name, { at }] of known) if (!online.has(name) || now - at > KEPT_MS) known.delete(name)
  }

  async function askAll(): Promise<void> {
    const all = names().filter(isPlainName)
    if (all.length === 0) return
    // In turns, where there are many.
    const chosen =
      all.length <= MOST_ASKED ? all : Array.from({ length: MOST_ASKED }, (_, i) => all[(next + i) % all.length]!)
    next = (next + MOST_ASKED) % all.length
    const wanted = new Set(chosen.flatMap((name) => [`${name} position`, `${name} dimension`]))
    pending = wanted
    let isAnswered = false
    for (const name of chosen) for (const question of entityQuestions(name)) if (!type(question)) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, waitMs)
      settle = () => {
        isAnswered = true
        if (wanted.size > 0) return
        clearTimeout(timer)
        resolve()
      }
    })
    settle = undefined
    silent = isAnswered ? 0 : silent + 1
  }

  return {
    async ask(): Promise<PlayerPosition[]> {
      const now = Date.now()
      if (asking === undefined && now - askedAt >= askMs && silent < MOST_SILENT) {
        askedAt = now
        asking = askAll().finally(() => (asking = undefined))
      }
      await asking
      forgetGone(now)
      return [...known].flatMap(([name, { position, dimension }]) =>
        position === undefined
          ? []
          : [{ name, x: position[0], y: position[1], z: position[2], dimension: dimension ?? 'minecraft:overworld' }],
      )
    },
    /** @returns whether it is an answer to a question of ours, which nobody else is to see. */
    readLine(text: string): boolean {
      if (pending === undefined || Date.now() - askedAt > 4 * waitMs) return false
      if (isEntityRefusal(text)) return true
      const told = readEntityData(text)
      if (told === undefined) return false
      const isPosition = 'position' in told
      if (!pending.delete(`${told.name} ${isPosition ? 'position' : 'dimension'}`)) return false
      const before = known.get(told.name)
      known.set(told.name, {
        ...before,
        ...(isPosition ? { position: told.position } : { dimension: told.dimension }),
        at: Date.now(),
      })
      settle?.()
      return true
    },
    /** The game has ended. */
    clear() {
      known.clear()
      pending = undefined
      silent = 0
      askedAt = -Infinity
    },
  }
}
