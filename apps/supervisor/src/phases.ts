import type { GamePhase } from '@wakestone/protocol/supervisor'

/** Every change of phase there is; anything else is a fault of ours. */
export const phaseTransitions: Record<GamePhase, readonly GamePhase[]> = {
  empty: ['installing'],
  installing: ['stopped', 'empty', 'crashed'],
  stopped: ['installing', 'starting'],
  starting: ['running', 'stopping', 'stopped', 'restarting', 'crashed'],
  running: ['stopping', 'stopped', 'restarting', 'crashed'],
  stopping: ['stopped'],
  restarting: ['starting', 'stopped'],
  crashed: ['installing', 'starting', 'stopped'],
}

/** Phases in which a game process lives, or is about to. */
export const livePhases: readonly GamePhase[] = ['starting', 'running', 'stopping', 'restarting']
