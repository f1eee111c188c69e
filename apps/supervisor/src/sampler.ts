/** Statistics for whoever asks how the game is and does not listen all the time. */
import { awakePhases } from '@wakestone/protocol/phases'
import type { ServerStats } from '@wakestone/protocol/supervisor'
import { protocolVersions } from '@wakestone/protocol/versions'
import { createStatsReader } from './stream.ts'
import type { Supervisor } from './supervisor.ts'

/** Measuring costs a look through all processes and connections: more often tells a graph of minutes nothing. */
const SAMPLE_MS = 10_000
const FIRST_SAMPLE_MS = 3_000
const LONGEST_SECONDS = 60

/**
 * Makes a function that returns the last sample, taken anew when it has aged. Null while no game runs or it is frozen,
 * and at first: a rate needs two measurements.
 */
export function createSampler(supervisor: Supervisor): () => Promise<ServerStats | null> {
  const read = createStatsReader(supervisor, {
    longestSeconds: LONGEST_SECONDS,
    disk: () => supervisor.disk.bytes() ?? 0,
  })
  let sample: ServerStats | null = null
  let readAt: number | null = null
  let reading: Promise<void> | undefined

  async function take() {
    const now = performance.now()
    const isRate = readAt !== null && now - readAt < LONGEST_SECONDS * 1000
    readAt = now
    const stats = await read()
    sample = isRate ? stats : null
  }

  return async () => {
    if (!awakePhases.some((phase) => phase === supervisor.status(protocolVersions.newest).phase)) {
      sample = null
      readAt = null
      return null
    }
    if (readAt === null || performance.now() - readAt >= (sample === null ? FIRST_SAMPLE_MS : SAMPLE_MS))
      reading ??= take().finally(() => (reading = undefined))
    await reading
    return sample
  }
}
