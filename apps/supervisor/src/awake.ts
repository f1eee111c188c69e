/** What keeps a running game awake, and since when nothing does. */
import { type AwakeReason, awakeReasons } from '@wakestone/protocol/values'

export type AwakeState = { awake: AwakeReason[]; emptySince: string | null }

/** Changes are told no closer together than this. */
const TELL_MS = 1000

export type Awake = {
  state(): AwakeState
  /** Takes over what is so now. */
  update(facts: { isUp: boolean; players: number; watchers: number; isHeld: boolean }): void
  /** Nobody has come for the game to go on: the time since nothing keeps it awake begins anew. */
  restart(): void
  close(): void
}

export function createAwake({ tell, told }: { tell: (state: AwakeState) => void; told: AwakeState | null }): Awake {
  let state: AwakeState = { awake: [], emptySince: null }
  let lastTold = told && JSON.stringify(told)
  let toldAt = -Infinity
  let timer: NodeJS.Timeout | undefined

  function tellSoon() {
    timer ??= setTimeout(tellNow, Math.max(0, toldAt + TELL_MS - performance.now())).unref()
  }
  function tellNow() {
    timer = undefined
    const next = JSON.stringify(state)
    if (next === lastTold) return
    lastTold = next
    toldAt = performance.now()
    tell(state)
  }
  function set(next: AwakeState) {
    state = next
    tellSoon()
  }
  tellSoon()

  return {
    state: () => state,
    update({ isUp, players, watchers, isHeld }) {
      const is: Record<AwakeReason, boolean> = { player: players > 0, console: watchers > 0, operation: isHeld }
      const awake = isUp ? awakeReasons.filter((reason) => is[reason]) : []
      const emptySince = !isUp || awake.length > 0 ? null : (state.emptySince ?? new Date().toISOString())
      if (emptySince !== state.emptySince || awake.join() !== state.awake.join()) set({ awake, emptySince })
    },
    restart() {
      if (state.emptySince !== null) set({ ...state, emptySince: new Date().toISOString() })
    },
    close: () => clearTimeout(timer),
  }
}
