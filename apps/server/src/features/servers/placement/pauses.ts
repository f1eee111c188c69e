/** How long is waited before a server is looked at again. */
import type { SupervisorStatus } from '@wakestone/protocol/supervisor'
import type { ServerRow } from '#src/features/servers/servers/service.ts'

export const inMilliseconds = (milliseconds: number) => new Date(Date.now() + milliseconds)

/** Something has been set going: what comes of it is told by events, and looked after if they get lost. */
export const afterStepMilliseconds = 10_000
export const soonMilliseconds = 2_000
export const longestSilenceMilliseconds = 30_000
/** After a workload that lived only for a moment. */
export const pauseAfterShortLife = 5_000

/**
 * Whether events wait that have not been taken in. They may tell of a stop from inside, of crashes or of a failed
 * installation, and change what is wanted: nothing is begun before that. Taking them in asks for the next pass.
 */
export const isBehind = (server: ServerRow, status: SupervisorStatus) => server.supervisor_seq < status.lastEventSeq
