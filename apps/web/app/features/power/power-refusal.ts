/** Why a power action is not open now. Reads the contract's table; the API reads the same one. */
import { type PanelState, type PowerAction, powerActionsByState } from '@wakestone/contract/states'

export type PowerRefusal =
  | 'capability'
  | 'preparing'
  | 'starting'
  | 'waking'
  | 'running'
  | 'stopping'
  | 'stopped'
  | 'sleeping'
  | 'expired'
  | 'failed'

const byState: Record<PanelState, PowerRefusal> = {
  preparing: 'preparing',
  starting: 'starting',
  waking: 'waking',
  running: 'running',
  idle: 'running',
  sleeping: 'sleeping',
  stopping: 'stopping',
  stopped: 'stopped',
  crashed: 'stopped',
  expired: 'expired',
  failed: 'failed',
}

/** Null when the action is open. */
export function powerRefusal(action: PowerAction, state: PanelState, canPower: boolean): PowerRefusal | null {
  if (!canPower) return 'capability'
  return powerActionsByState[state].includes(action) ? null : byState[state]
}

/** States in which a game process lives. */
export function isGameUp(state: PanelState): boolean {
  return state === 'running' || state === 'idle' || state === 'starting' || state === 'waking' || state === 'stopping'
}

/** States that pass by themselves: worth asking again soon. */
export function isPassing(state: PanelState): boolean {
  return state === 'preparing' || state === 'starting' || state === 'waking' || state === 'stopping'
}
