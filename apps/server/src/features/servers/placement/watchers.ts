/**
 * Follows the events of placed supervisors: one watcher per server among all workers, who have shares of them.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { SupervisorStatus } from '@wakestone/protocol/supervisor'
import type { Fleet } from '#src/adapters/clusters/fleet.ts'
import type { SupervisorClient } from '#src/adapters/supervisor/client.ts'
import type { Context } from '#src/context.ts'
import type { Shares } from '#src/db/shares.ts'
import type { Recorder } from '#src/features/servers/history/service.ts'
import { installProgress } from './install-progress.ts'
import { notePreparation } from '#src/features/servers/operations/service.ts'
import { isLive, sendReconcile, warnOfFullDisk } from '#src/features/servers/servers/service.ts'
import { createAlarm, lookPause } from './look-pace.ts'
import * as observed from './observed-repo.ts'
import { takeIn } from './take-in.ts'
import { createToldNotes } from './told-notes.ts'

export type Watchers = {
  /** Follows a server that is in a share of this worker, unless it does already. */
  ensure(serverId: string): void
  count(): number
  close(): Promise<void>
}

type Deps = {
  context: Pick<Context, 'db' | 'boss' | 'logger'>
  fleet: Fleet
  shares: Pick<Shares, 'has' | 'onChange'>
  recorder: Recorder
}

const retryMilliseconds = 500
/** Who breaks off again and again is followed again later and later. */
const longestRetryMilliseconds = 10_000
const longEnoughMilliseconds = 10_000
const noteMilliseconds = 60_000
/** After an event, for what it has changed and to have it forgotten there. */
const afterEventMilliseconds = 5_000
/** While packages are installed, their progress is looked at this often. */
const tickMilliseconds = 400
/** So many begin to be followed at a time: a worker that begins finds thousands. */
const beginningAtOnce = 24
/** Of all that is told at a time, so much is taken in: the rest waits here, and leaves connections to others. */
const takenInAtOnce = 6

export function createWatchers({ context, fleet, shares, recorder }: Deps): Watchers {
  const { db, logger } = context
  const notes = createToldNotes(context)
  const beginning = createPlaces(beginningAtOnce)
  const taking = createPlaces(takenInAtOnce)
  const running = new Map<string, { abort: AbortController; ended: Promise<void> }>()
  let closed = false
  shares.onChange(async (change) => {
    if (change === 'more') return
    const others = [...running].filter(([id]) => !shares.has(id)).map(([, one]) => one)
    for (const { abort } of others) abort.abort()
    await Promise.all(others.map(({ ended }) => ended))
  })

  /** Until it is taken away, or another worker's. */
  async function run(serverId: string, signal: AbortSignal): Promise<void> {
    let pause = retryMilliseconds
    while (!signal.aborted) {
      const began = Date.now()
      try {
        const supervisor = await fleet.find(serverId)
        if (supervisor !== undefined) await follow(serverId, supervisor, signal)
      } catch (error) {
        if (!signal.aborted)
          logger.info({ serverId, reason: (error as Error).message }, 'supervisor is not followed now')
      }
      if (signal.aborted) return
      // It may have died: this is how the loss of a supervisor is noticed at once.
      await sendReconcile(context.boss, serverId).catch(() => undefined) // the database is away: the sweep comes to it
      const isShort = Date.now() - began < longEnoughMilliseconds
      pause = isShort ? Math.min(longestRetryMilliseconds, pause * 2) : retryMilliseconds
      await delay(pause, undefined, { signal }).catch(() => undefined)
      const isPlaced = await observed.isPlaced(db, serverId).catch(() => true)
      if (!isPlaced) return
    }
  }

  async function follow(serverId: string, supervisor: SupervisorClient, signal: AbortSignal): Promise<void> {
    const leave = await beginning.enter()
    let isBeginning = true
    const begun = () => {
      if (isBeginning) leave()
      isBeginning = false
    }
    try {
      if (!signal.aborted) await followNow(serverId, { supervisor, signal, begun })
    } finally {
      begun()
    }
  }

  async function followNow(
    serverId: string,
    { supervisor, signal, begun }: { supervisor: SupervisorClient; signal: AbortSignal; begun: () => void },
  ): Promise<void> {
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
    begun()
    const pause = () => lookPause({ isUp: view.isUp(), followed: running.size })
    const alarm = createAlarm(view.isInstalling() ? tickMilliseconds : pause())

    // Whichever fails first ends both.
    const ending = new AbortController()
    const either = AbortSignal.any([signal, ending.signal])
    async function look() {
      for (;;) {
        await alarm.sleep(either)
        const askedAt = new Date()
        const status = await supervisor.status()
        alarm.set(pause())
        await view.take(status, taken)
        if (view.isInstalling()) alarm.within(tickMilliseconds)
        recorder.note(serverId, status)
        if (status.lastEventSeq === taken && askedAt.getTime() - notedAt > noteMilliseconds) {
          notedAt = askedAt.getTime()
          notes.note(serverId, askedAt)
        }
        if (written < taken) {
          written = taken
          await observed.moveCursor(db, serverId, written) // past what was passed over
        }
        if (acknowledged === taken) continue
        const known = taken
        await supervisor.acknowledge(known)
        acknowledged = known
      }
    }
    async function read() {
      for await (const event of supervisor.events(taken, either)) {
        if (event.type !== 'passed_over') {
          if (event.type === 'phase') view.notePhase(event.status)
          alarm.within(view.isInstalling() ? tickMilliseconds : afterEventMilliseconds)
          const leave = await taking.enter()
          const isThere = await takeIn(context, serverId, event, { isOld: event.seq <= view.seq() }).finally(leave)
          if (!isThere) return
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

  return {
    ensure(serverId) {
      if (closed || running.has(serverId) || !shares.has(serverId)) return
      const abort = new AbortController()
      const ended = Promise.resolve()
        .then(() => run(serverId, abort.signal))
        .finally(() => running.delete(serverId))
      running.set(serverId, { abort, ended })
    },
    count: () => running.size,
    async close() {
      closed = true
      const all = [...running.values()]
      for (const { abort } of all) abort.abort()
      await Promise.all(all.map(({ ended }) => ended))
      await notes.close()
    },
  }
}

/** Lets in so many at a time, in the order in which they came. */
function createPlaces(most: number) {
  const waiting: (() => void)[] = []
  let taken = 0
  const leave = () => {
    const next = waiting.shift()
    if (next === undefined) taken -= 1
    else next()
  }
  return {
    /** @returns how to leave */
    async enter(): Promise<() => void> {
      if (taken < most) taken += 1
      else await new Promise<void>((resolve) => waiting.push(resolve))
      return leave
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
    /** Whether there is a game that uses something. */
    isUp: () => phase !== 'frozen' && isLive(phase),
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
