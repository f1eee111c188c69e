/** What a game process does, and every way from one phase to another. Read by supervisors and by the control plane. */

export const gamePhases = [
  'empty', // nothing installed yet
  'installing',
  'stopped',
  'starting', // process up, does not answer a status ping yet
  'running', // answers a status ping
  'frozen', // ran, and every process of it is halted: it answers nothing until it is thawed
  'stopping',
  'restarting', // waits for its crash back-off to pass
  'crashed', // it ended unasked and no restart is planned
] as const
export type GamePhase = (typeof gamePhases)[number]

export const isGamePhase = (name: string): name is GamePhase => (gamePhases as readonly string[]).includes(name)

/** Every change of phase there is; anything else is a fault of a supervisor. */
export const phaseTransitions: Record<GamePhase, readonly GamePhase[]> = {
  empty: ['installing'],
  installing: ['stopped', 'empty', 'crashed'],
  stopped: ['installing', 'starting'],
  starting: ['running', 'stopping', 'stopped', 'restarting', 'crashed'],
  running: ['frozen', 'stopping', 'stopped', 'restarting', 'crashed'],
  frozen: ['running', 'stopped', 'restarting', 'crashed'],
  stopping: ['stopped'],
  restarting: ['starting', 'stopped'],
  crashed: ['installing', 'starting', 'stopped'],
}

/** Phases in which a game process lives, or is about to. */
export const livePhases: readonly GamePhase[] = ['starting', 'running', 'frozen', 'stopping', 'restarting']
/** Those in which it uses the processor: a frozen game sleeps. */
export const awakePhases: readonly GamePhase[] = livePhases.filter((phase) => phase !== 'frozen')
