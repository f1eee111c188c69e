/** Work that goes on behind free servers: turns pass, and what is said in their games before they end. */
import type { Language } from '@wakestone/contract/primitives'
import { SupervisorError } from '#src/adapters/supervisor/errors.ts'
import type { Context } from '#src/context.ts'
import { findBusyClusters, passPlaces, type Warning } from '#src/features/servers/free-places/service.ts'
import { findServer } from '#src/features/servers/servers/service.ts'
import { defineJob, enqueue, work } from '#src/jobs/boss.ts'
import { warningText } from './game-texts.ts'

/** Tells players in a game that it ends soon. */
export const sayWarningJob = defineJob<Warning>({
  queue: 'say-free-session-ends',
  policy: 'standard',
  retryLimit: 2,
  retryDelaySeconds: 5,
  expireInSeconds: 30,
})

const passMilliseconds = 2_000

export type FreePlayWork = { close(): Promise<void> }

/** Any number of workers may do it: each pass is alone on its cluster. */
export async function beginFreePlay(context: Context): Promise<FreePlayWork> {
  const { db, boss, settings, logger, fleet } = context
  await work(context, sayWarningJob, say)

  async function say({ serverId, minutes }: Warning): Promise<void> {
    const server = await findServer(db, serverId)
    if (server?.phase !== 'running') return
    const supervisor = await fleet.find(serverId)
    await supervisor?.command(`say ${warningText(server.language as Language, minutes)}`).catch((error: unknown) => {
      if (!(error instanceof SupervisorError && error.status === 409)) throw error // its game has ended meanwhile
    })
  }

  async function pass(): Promise<void> {
    for (const clusterId of await findBusyClusters(db))
      await passPlaces(db, clusterId, { settings, now: new Date() }, (trx, warning) =>
        enqueue(boss, trx, sayWarningJob, warning),
      )
  }

  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  let passing: Promise<void> = Promise.resolve()
  function passOnce() {
    passing = pass()
      .catch((error: unknown) => logger.warn({ error }, 'places of free servers cannot be looked through'))
      .then(() => {
        if (!isClosed) timer = setTimeout(passOnce, passMilliseconds)
      })
  }
  passOnce()
  return {
    async close() {
      isClosed = true
      clearTimeout(timer)
      await passing
    },
  }
}
