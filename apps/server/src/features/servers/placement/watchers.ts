/**
 * Follows the events of placed supervisors: one watcher per server among all workers.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { SupervisorStatus } from '@wakestone/protocol/supervisor'
import type { Fleet } from '#src/adapters/clusters/fleet.ts'
import type { SupervisorClient } from '#src/adapters/supervisor/client.ts'
import type { Context } from '#src/context.ts'
import type { Locks } from '#src/db/locks.ts'
import type { Recorder } from '#src/features/servers/history/service.ts'
import { installProgress } from './install-progress.ts'
import { notePreparation } from '#src/features/servers/operations/service.ts'
import { sendReconcile, warnOfFullDisk } from '#src/features/servers/servers/service.ts'
import { noteToldUntil } from './looks-repo.ts'
import * as observed from './observed-repo.ts'
import { takeIn } from './take-in.ts'

export type Watchers = {
  /** Follows a server unless this worker or another does already. */
  ensure(serverId: string): void
  count(): number
  close(): Promise<void>
}

type Deps = { context: Pick<Context, 'db' | 'boss' | 'logger'>; fleet: Fleet; locks: Locks; recorder: Recorder }

const retryMilliseconds = 500
/** Who breaks off again and again is followed again later and later. */
const longestRetryMilliseconds = 10_000
const longEnoughMilliseconds = 10_000
const noteMilliseconds = 60_000
const lookMilliseconds = 5_000
/** While packages are installed, their progress is looked at this often. */
const tickMilliseconds = 400

export function createWatchers({ context, fleet, locks, recorder }: Deps): Watchers {
  const { db, logger } = context
  const pauses = new Map<string, number>()
  const running = new Map<string, { abort: AbortController; ended: Promise<void> }>()
  let closed = false
  locks.onLost(() => {
    for (const { abort } of running.values()) abort.abort()
  })

  async function watch(serverId: string, signal: AbortSignal): Promise<void> {
    const release = await locks.tryHold(`watch ${serverId}`)
    if (release === undefined) return
    const began = Date.now()
    try {
      const supervisor = await fleet.find(serverId)
      if (supervisor !== undefined) await follow(serverId, supervisor, signal)
    } catch (error) {
      if (!signal.aborted) logger.info({ serverId, reason: (error as Error).message }, 'supervisor is not followed now')
    } finally {
      await release()
    }
    if (signal.aborted) return
    // It may have died: this is how the loss of a supervisor is noticed at once.
    await sendReconcile(context.boss, serverId).catch(() => undefined) // the database is away: the sweep comes to it
    const isShort = Date.now() - began < longEnoughMilliseconds
    const pause = isShort
      ? Math.min(longestRetryMilliseconds, (pauses.get(serverId) ?? retryMilliseconds / 2) * 2)
      : retryMilliseconds
    if (isShort) pauses.set(serverId, pause)
    else pauses.delete(serverId)
    await delay(pause, undefined, { signal }).catch(() => undefined)
  }

  async function follow(serverId: string, supervisor: SupervisorClient, signal: AbortSignal): Promise<void> {
    const view = createView(context.db, serverId)
    const cursor = await observed.findCursor(db, serverId)
    if (cursor === undefined) return
    const first = await supervisor.status()
    let taken = Math.min(cursor, first.lastEventSeq)
    if (taken < cursor) {
      logger.warn(
        { serverId, cursor, last: first.lastEventSeq },
        'the volume is older than what is known of it; going on from its last event',
      )
      await observed.setCursor(db, serverId, taken)
    }
    let acknowledged = taken
    let written = taken
    let notedAt = 0
    await view.take(first, taken)

    // Whichever fails first ends both.
    const ending = new AbortController()
    const either = AbortSignal.any([signal, ending.signal])
    async function look() {
      for (let looked = Date.now(); ;) {
        await delay(tickMilliseconds, undefined, { signal: either })
        if (!view.isInstalling() && Date.now() - looked < lookMilliseconds) continue
        looked = Date.now()
        const askedAt = new Date()
        const status = await supervisor.status()
        await view.take(status, taken)
        recorder.note(serverId, status)
        if (status.lastEventSeq === taken && askedAt.getTime() - notedAt > noteMilliseconds) {
          notedAt = askedAt.getTime()
          await noteToldUntil(db, serverId, askedAt)
        }
        if (written < taken) {
          written = taken
          await observed.moveCursor(db, serverId, written) // past what was passed over
        }
        if (acknowledged === taken) continue
        await supervisor.acknowledge(taken)
        acknowledged = taken
      }
    }
    async function read() {
      for await (const event of supervisor.events(taken, either)) {
        if (event.type !== 'passed_over') {
          if (event.type === 'phase') view.notePhase(event.status)
          if (!(await takeIn(context, serverId, event, { isOld: event.seq <= view.seq() }))) return
          written = event.seq
        }
        taken = event.seq
      }
    }
    const looking = look().catch((error: unknown) => {
      if (!either.aborted) throw error
    })
    try {
      await Promise.race([read(), looking])
    } finally {
      ending.abort()
      await looking.catch(() => undefined)
    }
  }

  async function run(serverId: string, signal: AbortSignal) {
    await watch(serverId, signal).catch(() => undefined) // the database is away: the sweep asks again
    running.delete(serverId)
  }

  return {
    ensure(serverId) {
      if (closed || running.has(serverId)) return
      const abort = new AbortController()
      const ended = Promise.resolve().then(() => run(serverId, abort.signal))
      running.set(serverId, { abort, ended })
    },
    count: () => running.size,
    async close() {
      closed = true
      const all = [...running.values()]
      for (const { abort } of all) abort.abort()
      await Promise.all(all.map(({ ended }) => ended))
    },
  }
}

/** What the database knows of one supervisor, so that only news is written. */
function createView(db: Context['db'], serverId: string) {
  let shown = ''
  let seq = 0
  let phase = ''
  let diskBytes: number | null | undefined
  return {
    /** Up to this event, states are known to have passed. */
    seq: () => seq,
    isInstalling: () => phase === 'installing',
    notePhase(status: SupervisorStatus) {
      phase = status.phase
      shown = '' // events write the state too
    },
    /** @param taken number of the last event that was taken in */
    async take(status: SupervisorStatus, taken: number): Promise<void> {
      if (status.lastEventSeq < taken) return // overtaken by an event on its way here
      seq = status.lastEventSeq
      if (status.phase === 'unknown') return // what was known of it stands
      phase = status.phase
      const { install, lastEventSeq: _, stats: __, ...rest } = status
      const text = JSON.stringify(rest)
      if (text !== shown) await observed.writeObserved(db, serverId, status)
      shown = text
      if (status.diskBytes !== diskBytes) await warnOfFullDisk(db, serverId)
      diskBytes = status.diskBytes
      if (install !== null)
        await notePreparation(db, serverId, installProgress(install, await observed.findPlan(db, serverId)))
    },
  }
}
