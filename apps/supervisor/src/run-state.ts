/** What must be remembered about the game between two lives of its supervisor. */
import type { GameExit } from '@wakestone/protocol/supervisor'
import { readJsonFile, type VolumePaths, writeFileAtomically } from './volume.ts'

export type RunState = {
  /** When the game that now runs was launched; found by a new supervisor, it means that both were killed. */
  launchedAt: string | null
  lastExit: GameExit | null
  /** Times of crashes, milliseconds since 1970. */
  crashes: number[]
  /** Crashed too often; stays so until somebody asks for a start. */
  gaveUp: boolean
}

export function readRunState(paths: VolumePaths): RunState {
  const found = (readJsonFile(paths.runState) ?? {}) as Partial<RunState>
  const isTime = (value: unknown): value is string => typeof value === 'string' && !Number.isNaN(Date.parse(value))
  return {
    launchedAt: isTime(found.launchedAt) ? found.launchedAt : null,
    lastExit: found.lastExit && isTime(found.lastExit.at) ? found.lastExit : null,
    crashes: Array.isArray(found.crashes) ? found.crashes.filter((time) => Number.isFinite(time)) : [],
    gaveUp: found.gaveUp === true,
  }
}

export function writeRunState(paths: VolumePaths, state: RunState): void {
  try {
    writeFileAtomically(paths.runState, JSON.stringify(state))
  } catch {
    // A full volume must not keep the game from being stopped or started.
  }
}
