/**
 * MySQL beside a game, which is MariaDB: a child of the supervisor that starts before the game and stops a moment after
 * it, is frozen with it, and comes up for whoever asks while there is no game. One that dies is started again; what it
 * had said was written stays written.
 */
import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { Readable } from 'node:stream'
import type { MysqlPage, MysqlStatus, MysqlTables } from '@wakestone/protocol/mysql'
import { mysqlPort, type MysqlWork } from '@wakestone/protocol/values'
import { measureFolder } from '../disk-usage.ts'
import type { GameUser } from '../game-user.ts'
import type { Log } from '../log.ts'
import type { VolumePaths } from '../volume.ts'
import { ask, type MysqlAccess, openDump, runStatements } from './client.ts'
import { grantStatements, makeData, mysqlPaths, setPassword, startEngine } from './engine.ts'
import { createMysqlWork } from './dumps.ts'
import { listTables, readPage } from './tables.ts'

/** Crash recovery of a large one takes its time. */
const READY_MS = 60_000
/** A game does not wait longer for it. */
const GAME_WAITS_MS = 20_000
/** What is not stopped by then is killed: nothing is lost, it only has more to do at its next start. */
const STOP_MS = 20_000
const IDLE_MS = 60_000
/** A game that has just woken perhaps goes on sleeping. */
const REFREEZE_MS = 2_000
const AGAIN_MS = [500, 2_000, 10_000, 60_000]
/** One that has lived for so long is started again at once. */
const LONG_LIFE_MS = 60_000
const MEASURE_MS = 30_000
/** Less than it may take, by so much, and it can be written to again. */
const ROOM_AGAIN = 0.95
const LONGEST_IMPORT_MS = 2 * 60 * 60_000

/** There is none yet. */
export class NoMysql extends Error {}
/** It does not come up. */
export class MysqlAway extends Error {}

export type Mysql = ReturnType<typeof createMysql>
type MysqlOptions = {
  volume: VolumePaths
  gameUser: GameUser | null
  /** Bytes that it may take. */
  mostBytes: number
  /** Descriptor of the file through which a process enters its cgroup. */
  cgroup?: number | undefined
  log: Log
  /** Tells the owner, on the console. */
  say: (text: string) => void
  idleMs?: number
  port?: number
}

type Engine = { child: ChildProcess; access: MysqlAccess; startedAt: number; isEnding: boolean; gone: Promise<void> }

export function createMysql({
  volume,
  gameUser,
  mostBytes,
  cgroup,
  log,
  say,
  idleMs = IDLE_MS,
  port = mysqlPort,
}: MysqlOptions) {
  const paths = mysqlPaths(volume.own)
  const hasRights = gameUser !== null
  let engine: Engine | undefined
  let starting: Promise<Engine> | undefined
  let users = 0
  let game: 'none' | 'up' | 'frozen' = 'none'
  let isFrozen = false
  let failures = 0
  let againTimer: NodeJS.Timeout | undefined
  let settleTimer: NodeJS.Timeout | undefined
  let measureTimer: NodeJS.Timeout | undefined
  let bytes: number | null = null
  let isFull = false
  let isClosed = false
  let making: Promise<void> | undefined
  let measuring: Promise<void> | undefined
  const closing = new AbortController()

  const exists = () => existsSync(paths.data)
  const signal = (name: NodeJS.Signals) => {
    try {
      if (engine?.child.pid !== undefined) process.kill(engine.child.pid, name)
    } catch {
      // It has ended.
    }
  }

  function freeze() {
    if (engine === undefined || isFrozen) return
    isFrozen = true
    signal('SIGSTOP')
  }
  function thaw() {
    if (!isFrozen) return
    isFrozen = false
    signal('SIGCONT')
  }

  async function start(): Promise<Engine> {
    clearTimeout(againTimer)
    if (isClosed) throw new MysqlAway('the supervisor ends')
    if (!exists()) throw new NoMysql('there is no MySQL yet')
    const password = randomBytes(24).toString('base64url')
    const { child, tail } = startEngine(paths, { password, hasRights, cgroup, port })
    const gone = new Promise<void>((resolve) => {
      child.on('error', () => resolve())
      child.on('exit', () => resolve())
    })
    const started: Engine = {
      child,
      access: { paths, password, hasRights },
      startedAt: performance.now(),
      isEnding: false,
      gone,
    }
    engine = started
    isFrozen = false
    isFull = false // as it starts with
    void gone.then(() => noteEnd(started, tail()))
    const end = performance.now() + READY_MS
    while (engine === started && performance.now() < end) {
      if (await answers(paths.socket)) break
      await delay(50)
    }
    rmSync(paths.init, { force: true })
    if (engine !== started) throw new MysqlAway('MySQL has ended')
    if (!(await answers(paths.socket))) {
      child.kill('SIGKILL')
      throw new MysqlAway('MySQL does not come up')
    }
    measureIn(0)
    return started
  }

  function noteEnd(ended: Engine, tail: string) {
    if (engine === ended) engine = undefined
    clearTimeout(measureTimer)
    isFrozen = false
    if (ended.isEnding || isClosed) return
    if (performance.now() - ended.startedAt > LONG_LIFE_MS) failures = 0
    log('warn', 'MySQL has ended', { tail })
    const wait = AGAIN_MS[Math.min(failures++, AGAIN_MS.length - 1)] as number
    if (game === 'none') return
    say(`MySQL has ended unexpectedly; it starts again in ${wait / 1000} s.`)
    againTimer = setTimeout(() => {
      if (game !== 'none') ensureUp().catch((error: unknown) => log('warn', 'MySQL does not start', { error }))
    }, wait)
  }

  async function ensureUp(): Promise<Engine> {
    if (engine?.isEnding) await engine.gone
    if (engine !== undefined && starting === undefined) return engine
    starting ??= start().finally(() => (starting = undefined))
    return starting
  }

  async function stop(): Promise<void> {
    clearTimeout(settleTimer)
    await starting?.catch(() => undefined)
    const ending = engine
    if (ending === undefined) return
    ending.isEnding = true
    thaw()
    ending.child.kill('SIGTERM')
    const kill = setTimeout(() => ending.child.kill('SIGKILL'), STOP_MS)
    await ending.gone
    clearTimeout(kill)
  }

  /** Brings it to what the game needs, once nobody else uses it. */
  function settle() {
    clearTimeout(settleTimer)
    if (users > 0 || isClosed) return
    const [act, ms] = game === 'none' ? [() => void stop(), idleMs] : [freeze, REFREEZE_MS]
    if (game !== 'up') settleTimer = setTimeout(() => users === 0 && act(), ms)
  }

  /** Has it up, and going, for as long as the work takes. @throws NoMysql, MysqlAway */
  async function use<Result>(work: (access: MysqlAccess) => Promise<Result>): Promise<Result> {
    users++
    clearTimeout(settleTimer)
    try {
      const { access } = await ensureUp()
      thaw()
      return await work(access)
    } finally {
      users--
      settle()
    }
  }

  function measureIn(ms: number) {
    clearTimeout(measureTimer)
    measureTimer = setTimeout(() => void measure(), ms)
    measureTimer.unref()
  }

  const measure = () => (measuring ??= measureOnce().finally(() => (measuring = undefined)))
  async function measureOnce(): Promise<void> {
    bytes = (await measureFolder(paths.folder, { signal: closing.signal })) ?? bytes
    if (engine === undefined) return
    if (!isFrozen) await limit(engine.access).catch((error: unknown) => log('warn', 'MySQL is not limited', { error }))
    measureIn(MEASURE_MS)
  }

  /** Takes the right to write away while it is too large, and gives it back. */
  async function limit(access: MysqlAccess): Promise<void> {
    const shallBeFull = (bytes ?? 0) > (isFull ? ROOM_AGAIN : 1) * mostBytes
    if (shallBeFull === isFull) return
    await ask(access, grantStatements(shallBeFull), '')
    // Whoever has chosen the database keeps the rights from then until they sign in anew.
    if (shallBeFull) await endSessions(access)
    isFull = shallBeFull
    say(
      isFull
        ? 'MySQL takes more than the plan gives it: it can only be read, and rows can be deleted.'
        : 'MySQL has room again: it can be written to.',
    )
  }

  async function endSessions(access: MysqlAccess): Promise<void> {
    const ids = await ask(
      access,
      [
        `select id from information_schema.processlist where user not in ('wakestone', 'system user', 'event_scheduler')`,
      ],
      '',
    )
    for (const id of ids.filter((text) => /^\d+$/.test(text)))
      await ask(access, [`kill ${id}`], '').catch(() => undefined) // it has gone by itself
  }

  const work = createMysqlWork({ paths, volume, gameUser, use, exists, signal: closing.signal })

  function status(): MysqlStatus {
    return { exists: exists(), isUp: engine !== undefined && !engine.isEnding, bytes, isFull, ...work.state() }
  }

  return {
    status,
    /** Makes it where there is none, and gives the customer's user this password. */
    async renew(hash: string): Promise<void> {
      if (!exists()) await (making ??= makeData(paths, hasRights).finally(() => (making = undefined)))
      await use(async (access) => {
        await ask(access, [setPassword(hash)], '')
        await endSessions(access)
      })
      if (game === 'up') await ensureUp()
    },
    async tables(): Promise<MysqlTables> {
      const { tables } = await use(listTables)
      await measure()
      return { tables, bytes: bytes ?? 0, isFull }
    },
    page: (wanted: { table: string; offset: number }): Promise<MysqlPage> => use((access) => readPage(access, wanted)),
    /** Hands the content on while it is made; what it resolves to comes when it is whole. */
    dump: (write: (content: Readable) => Promise<void>, end: AbortSignal): Promise<void> =>
      use(async (access) => {
        const dump = openDump(access, AbortSignal.any([end, closing.signal]))
        await Promise.all([write(dump.content), dump.end])
      }),
    /** @throws StatementError */
    async load(source: Readable, end: AbortSignal): Promise<void> {
      const limits = [end, closing.signal, AbortSignal.timeout(LONGEST_IMPORT_MS)]
      await use((access) => runStatements(access, source, AbortSignal.any(limits)))
      measureIn(0)
    },
    work: (kind: MysqlWork, id: string) => work.begin(kind, id),
    async remove(): Promise<void> {
      await stop()
      rmSync(paths.folder, { recursive: true, force: true })
      work.clear()
      bytes = null
      isFull = false
    },
    /** Before a game starts: resolves when it can be reached, or will not be soon. */
    async gameStarts(): Promise<void> {
      game = 'up'
      clearTimeout(settleTimer)
      if (!exists()) return
      const ready = ensureUp().then(
        () => true,
        (error: Error) => {
          log('warn', 'MySQL does not start', { error })
          return false
        },
      )
      if (!(await Promise.race([ready, delay(GAME_WAITS_MS, false)]))) say('MySQL is not there yet.')
      thaw()
    },
    gameEnded() {
      if (game === 'none') return
      game = 'none'
      settle()
    },
    gameFrozen() {
      game = 'frozen'
      if (users === 0) freeze()
    },
    gameThawed() {
      game = 'up'
      clearTimeout(settleTimer)
      thaw()
      if (engine === undefined && exists()) void ensureUp().catch(() => undefined)
    },
    async close(): Promise<void> {
      isClosed = true
      closing.abort()
      for (const timer of [againTimer, settleTimer, measureTimer]) clearTimeout(timer)
      await stop()
    },
  }
}
function answers(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = connect(socket)
    const timer = setTimeout(() => connection.destroy(), 2_000)
    // It greets whoever comes, once it has done what stands in its statements for the start.
    connection.on('data', () => {
      resolve(true)
      connection.destroy()
    })
    connection.on('error', () => resolve(false))
    connection.on('close', () => {
      clearTimeout(timer)
      resolve(false)
    })
  })
}
