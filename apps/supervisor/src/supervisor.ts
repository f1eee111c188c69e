/** One supervisor: its parts, put together around one volume. */
import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import type { InstallPlan } from '@wakestone/packager/manifest'
import type { GamePhase } from '@wakestone/protocol/phases'
import type { KnownFile } from '@wakestone/protocol/values'
import type { SupervisorConfig, SupervisorStatus } from '@wakestone/protocol/supervisor'
import { FREEZING_VERSION, protocolVersions } from '@wakestone/protocol/versions'
import packageJson from '../package.json' with { type: 'json' }
import { openConsole } from './console.ts'
import { createAwake } from './awake.ts'
import { createCrashReporter } from './crash-report.ts'
import { createDoorReader } from './door.ts'
import { createDiskMeter } from './disk-usage.ts'
import { openEventSpool } from './events.ts'
import { createGame } from './game.ts'
import { findFreePort } from './game-process.ts'
import { createFaceTeller } from './face.ts'
import { createFileWorkshop, type FileTask } from './file-work.ts'
import { setProperties } from './install/configure.ts'
import { createInstallation } from './install/installation.ts'
import { type JvmCounters, readJvmCounters } from './jvm-counters.ts'
import { readKnownFile, writeKnownFile } from './known-files.ts'
import { resolveLaunch } from './launch.ts'
import type { Log } from './log.ts'
import { createPositions } from './positions.ts'
import { hasMariaDb } from './mysql/engine.ts'
import { createMysql } from './mysql/mysql.ts'
import {
  createManagement,
  makeManagementSecret,
  managementSettings,
  type ManagedPlayer,
  NotManaged,
} from './management.ts'
import { pingGame } from './ping-game.ts'
import { createPlayers } from './players.ts'
import { readRunState, writeRunState } from './run-state.ts'
import { volumePaths } from './volume.ts'
import { createWorldHold } from './world-hold.ts'
import { createLineWatch } from './watched-lines.ts'
import { createWorldReader, requireGoodWorld } from './world-version.ts'

const PING_MS = 5000
/** How long a game may take to write what a command has changed. */
const COMMAND_MS = 500
const STOP_WHEN_FULL_SECONDS = 60

/** What was asked for does not fit the state; becomes a 409. */
export class ConflictError extends Error {}

export type Supervisor = ReturnType<typeof createSupervisor>

export function createSupervisor({
  config,
  log,
  backOffMs,
  pingMs = PING_MS,
}: {
  config: SupervisorConfig
  log: Log
  backOffMs?: readonly number[]
  /** Time between two looks at a game that runs; what it tells of itself is told on no more often than at every second. */
  pingMs?: number
}) {
  const paths = volumePaths(config.volume)
  const gameUser = config.sandbox?.gameUser ?? null
  const disk = createDiskMeter(config.volume, {
    hasQuota: config.diskQuota === true,
    isBusy: () => game.state().pid !== undefined,
    onMeasured: stopWhenFull,
  })
  const gameConsole = openConsole({ folder: paths.console })
  const events = openEventSpool({ folder: paths.events })
  const runState = readRunState(paths)
  const statusListeners = new Set<() => void>()
  const installation = createInstallation({ paths, config, gameUser, events, log, onChange: notify })
  const files = createFileWorkshop({
    paths,
    onChange: notify,
    onReplaced: installation.layAnew,
  })
  let notifying = false

  const awake = createAwake({
    tell: (state) => events.append(() => ({ type: 'awake', ...state })),
    // A game that died with its last supervisor was perhaps said to be needed.
    told: runState.launchedAt === null ? { awake: [], emptySince: null } : null,
  })
  let watchers = 0
  const face = createFaceTeller((shown) => events.append(() => ({ type: 'face', ...shown })))
  const readDoor = createDoorReader(paths.volume)
  const readWorldVersion = createWorldReader(paths)
  let doorToldAt = -Infinity
  const lineWatch = createLineWatch((id) => events.append(() => ({ type: 'line', id })))
  /** As it was when it was last looked at. */
  let heap: JvmCounters | null = null
  const reportCrash = createCrashReporter({
    cgroup: config.cgroup,
    events,
    lastTexts: gameConsole.lastTexts,
    readHeap: () => heap,
  })
  /** Where the game that was started last is managed, if it can be. */
  let managed: { port: number; secret: string } | undefined
  const findManagementPlace = async () => ({ port: await findFreePort(), secret: makeManagementSecret() })

  // Only where nobody else can reach its port.
  const mysql =
    config.limits.mysqlBytes && config.ownNetwork && hasMariaDb()
      ? createMysql({
          volume: paths,
          gameUser,
          mostBytes: config.limits.mysqlBytes,
          cgroup: config.mysqlCgroup,
          log,
          say: (text) => gameConsole.write('system', text),
        })
      : undefined

  const players = createPlayers({
    onChange() {
      noteAwake()
      // Somebody came in while it was being frozen.
      if (players.state().online > 0) game.thaw()
      notify()
    },
    onJoin: (name, id) => events.append(() => ({ type: 'player_joined', name, ...(id !== undefined && { id }) })),
    onLeave: (name) => events.append(() => ({ type: 'player_left', name })),
  })
  gameConsole.listen(({ lines }) => {
    for (const line of lines) {
      if (lineWatch.isWatching()) {
        const { stream, text } = JSON.parse(line) as { stream: string; text: string }
        if (stream === 'out' || stream === 'err') lineWatch.read(text)
      }
      // The form of a line that could tell of a player is looked for in its JSON text, before parsing it.
      if (
        line.length < 400 &&
        /(?:(?:game|connected)\s*"\}$|(?:Player (?:dis)?connected:|UUID of player) )/.test(line)
      ) {
        const { stream, text } = JSON.parse(line) as { stream: string; text: string }
        if (stream === 'out' || stream === 'err') players.readLine(text)
      }
    }
  })

  const game = createGame({
    cwd: paths.volume,
    user: gameUser,
    isAlone: Boolean(config.sandbox),
    cgroup: config.gameCgroup,
    port: config.gamePort,
    console: gameConsole,
    initialPhase: phaseWithoutGame(),
    runState,
    saveRunState: (state) => writeRunState(paths, state),
    async prepareLaunch(port) {
      const { plan } = requireRecord()
      await mysql?.gameStarts()
      const { memoryBytes } = config.limits
      requireGoodWorld(plan, readWorldVersion())
      const { stopCommand, flush, settings } = plan.launch
      managed = plan.launch.management === true ? await findManagementPlace() : undefined
      const ofManagement = managed === undefined ? {} : managementSettings(managed)
      if (settings !== undefined || managed !== undefined) setSettings({ ...settings, ...ofManagement })
      return { launch: resolveLaunch({ record: requireRecord(), paths, memoryBytes, port }), stopCommand, flush }
    },
    probe: ping,
    onPhase(from) {
      const { phase } = game.state()
      if (phase !== 'running' && phase !== 'frozen' && phase !== 'stopping') {
        players.clear()
        positions.clear()
      }
      if (phase === 'stopped') disk.measureSoon()
      if (phase === 'starting') {
        face.restart()
        heap = null
      }
      if (phase === 'running' && from === 'starting') {
        tellDoor()
        if (managed !== undefined) management.open(managed)
      }
      if (phase !== 'running' && phase !== 'frozen' && phase !== 'stopping') management.close()
      if (phase === 'running') world.gameRuns()
      else if (phase !== 'frozen' && phase !== 'stopping') world.gameEnded()
      if (phase === 'frozen') mysql?.gameFrozen()
      else if (from === 'frozen') mysql?.gameThawed()
      if (phase === 'stopped' || phase === 'crashed') mysql?.gameEnded()
      noteAwake()
      if (from === 'frozen') awake.restart()
      // In the oldest version, with what later ones have added: it may be read by a control plane of any age.
      events.append((seq) => ({ type: 'phase', from, status: { ...status(), phase, lastEventSeq: seq } }))
      log('info', 'phase', { phase })
      notify()
    },
    onLine(text) {
      world.readLine(text)
      return positions.readLine(text)
    },
    onCrash: reportCrash,
    ...(backOffMs && { backOffMs }),
  })
  const toPlayer = ({ name, id }: ManagedPlayer) => ({ name, ...(id !== undefined && { id }) })
  const management = createManagement({
    onPlayers: (all) => all.forEach((player) => players.change({ kind: 'joined', ...toPlayer(player) })),
    onJoined: (player) => players.change({ kind: 'joined', ...toPlayer(player) }),
    onLeft: (player) => players.change({ kind: 'left', ...toPlayer(player) }),
    onChange: notify,
  })
  const positions = createPositions({ type: game.whisper, names: () => players.state().names })
  const world = createWorldHold({
    type: game.whisper,
    managed: {
      isThere: () => management.has('serversettings/autosave/set') && management.has('server/save'),
      async hold() {
        await management.call('serversettings/autosave/set', [false])
        await management.call('server/save', [true])
      },
      async release() {
        await management.call('serversettings/autosave/set', [true])
      },
    },
    onChange() {
      noteAwake()
      notify()
    },
  })
  noteDeathOfBoth()
  files.resume()
  const pinger = setInterval(() => {
    const { phase, port } = game.state()
    if (phase === 'running' && port !== null) {
      ping(port).catch(() => {})
      heap = readHeap() ?? heap
    }
    tellDoor()
  }, pingMs)

  function readHeap(): JvmCounters | null {
    const { pid } = game.state()
    return pid === undefined ? null : readJvmCounters(pid)
  }

  function tellDoor() {
    if (game.state().phase === 'empty' || performance.now() < doorToldAt + 2 * pingMs) return
    const door = readDoor()
    if (door === undefined) return
    doorToldAt = performance.now()
    events.append(() => ({ type: 'door', ...door }))
  }

  /** What the game needs to be frozen, and its owner may have set otherwise. */
  function setSettings(settings: Readonly<Record<string, string>>) {
    const current = readKnownFile(paths, 'server.properties') ?? (hasFile('server.properties') ? undefined : '')
    if (current === undefined) return // a link, or no text of settings: its owner's own business
    const lines = current.split(/\r?\n/)
    if (Object.entries(settings).every(([key, value]) => lines.includes(`${key}=${value}`))) return
    writeKnownFile({ paths, gameUser }, 'server.properties', setProperties(current, settings))
  }

  const hasFile = (name: string) => lstatSync(join(paths.volume, name), { throwIfNoEntry: false }) !== undefined

  async function ping(port: number) {
    const answer = await pingGame(port, installation.record()?.plan.launch.probe)
    players.setCounts(answer.online, answer.max)
    face.take(answer)
  }

  /** A game that ran when this volume was last seen, and no supervisor to see how it ended: both were killed. */
  function noteDeathOfBoth() {
    if (runState.launchedAt === null) return
    const exit = { at: new Date().toISOString(), code: null, signal: null, expected: false }
    runState.launchedAt = null
    runState.lastExit = exit
    runState.crashes = [...runState.crashes, Date.now()].slice(-10)
    writeRunState(paths, runState)
    gameConsole.write('system', 'The game was killed together with its supervisor.')
    reportCrash({ exit, crashCount: runState.crashes.length, tooManyTimes: false })
  }

  function noteAwake() {
    const { phase } = game.state()
    awake.update({
      isUp: phase === 'running' || phase === 'frozen',
      players: players.state().online,
      watchers,
      isHeld: isWorldHeld(phase),
    })
  }

  /** A game that is frozen has written its world and sleeps on: its files can be read as well then. */
  const isWorldHeld = (phase: GamePhase) => phase === 'running' && world.state() !== 'none'

  /** In the oldest version unless asked otherwise. */
  function status(protocol = protocolVersions.oldest): SupervisorStatus {
    const state = game.state()
    const phase = state.phase === 'frozen' && protocol < FREEZING_VERSION ? 'running' : state.phase
    return {
      protocol,
      ...(protocol >= 2 && { protocols: protocolVersions }),
      serverId: config.serverId,
      version: packageJson.version,
      phase,
      since: state.since.toISOString(),
      ...installation.state(),
      gamePort: state.port,
      launchedAt: state.launchedAt?.toISOString() ?? null,
      lastExit: state.lastExit,
      players: { ...players.state(), max: players.state().max || (config.limits.players ?? 0) },
      lastEventSeq: events.lastSeq(),
      diskBytes: disk.bytes(),
      world: world.state(),
      worldVersion: readWorldVersion(),
      watchedLines: lineWatch.mark(),
      managed: management.isOpen(),
      ...awake.state(),
      ...files.state(),
    }
  }

  /** Tells listeners once per turn, however much has changed in it. */
  function notify() {
    if (notifying) return
    notifying = true
    setImmediate(() => {
      notifying = false
      for (const listener of statusListeners) listener()
    })
  }

  function startInstall(plan: InstallPlan) {
    if (game.state().phase === 'installing') {
      if (installation.underWay() === plan.hash) return
      throw new ConflictError('another plan is being installed')
    }
    if (installation.has(plan)) return
    requireDown()
    requireWholeFiles()
    const done = installation.begin(plan)
    game.enter('installing')
    void done.then(() => game.enter(phaseWithoutGame()))
  }

  function requireDown() {
    if (!game.isDown()) throw new ConflictError('the game must be stopped first')
  }
  function requireWholeFiles() {
    if (files.isBusy()) throw new ConflictError('work on the files is under way')
  }

  function workOnFiles(task: FileTask) {
    if (files.isDoing(task.kind, 'id' in task ? task.id : null)) return
    requireDown()
    // What was left half done by a failure may be tried again, or something else in its place.
    if (task.kind === 'snapshot') requireWholeFiles()
    if (files.isWorking()) throw new ConflictError('work on the files is under way')
    if (game.state().phase === 'installing') throw new ConflictError('an installation is under way')
    files.begin(task)
  }

  function phaseWithoutGame(): GamePhase {
    if (!installation.record()) return 'empty'
    return runState.gaveUp ? 'crashed' : 'stopped'
  }

  function requireRecord() {
    const record = installation.record()
    if (record === undefined) throw new Error('nothing is installed')
    return record
  }

  async function requireInstalled() {
    const { phase } = game.state()
    if (phase === 'empty') throw new ConflictError('nothing is installed')
    if (phase === 'installing') throw new ConflictError('an installation is under way')
    requireWholeFiles()
    await installation.finish()
  }

  /** Where writes are not refused, a game that has written too much is stopped instead. */
  const isOverFull = () => !config.diskQuota && (disk.bytes() ?? 0) > config.limits.diskBytes
  function stopWhenFull() {
    if (!isOverFull() || game.state().pid === undefined) return
    gameConsole.write('system', 'The disk space of this server is used up; the game is stopped.')
    inBackground(game.stop(STOP_WHEN_FULL_SECONDS))
  }
  function requireRoom() {
    if (isOverFull()) throw new ConflictError('the disk space of this server is used up')
  }

  return {
    config,
    console: gameConsole,
    events,
    mysql,
    status,
    install: startInstall,
    async start() {
      await requireInstalled()
      requireRoom()
      inBackground(game.start())
    },
    /** Has it frozen as soon as its world is written, unless something wakes it until then. */
    freeze() {
      const { phase } = game.state()
      if (phase === 'frozen') return
      if (phase !== 'running') throw new ConflictError('the game does not run')
      const reasons = awake.state().awake
      if (reasons.length > 0) throw new ConflictError(`kept awake by: ${reasons.join(', ')}`)
      inBackground(game.freeze(() => awake.state().awake.length === 0))
    },
    thaw: () => game.thaw(),
    /** Nothing of what is connected outlives being written to disk. @throws ConflictError while that cannot be */
    rest() {
      if (game.state().phase !== 'frozen') throw new ConflictError('the game is not frozen')
      const reasons = awake.state().awake
      if (reasons.length > 0) throw new ConflictError(`kept awake by: ${reasons.join(', ')}`)
      requireWholeFiles()
      if (mysql?.status().isUp) throw new ConflictError('MySQL runs')
      // A checkpoint may be lost: what counts must be in the files.
      if (!game.isFrozenSaved()) throw new ConflictError('the game has not said that its world is written')
      management.close()
    },
    /** @param awayMs how long it was on disk; null: it was not */
    goOn(awayMs: number | null) {
      if (awayMs !== null)
        gameConsole.write(
          'system',
          `The server is back from a checkpoint; it was on disk for ${Math.round(awayMs / 1000)} s.`,
        )
      if (managed !== undefined && game.state().phase === 'frozen') management.open(managed)
    },
    holdWorld: (seconds: number) => world.hold(seconds, game.state().phase, installation.record()?.plan.launch),
    releaseWorld: () => world.release(),
    /** @throws NotManaged, ManagementRefusal */
    manage(method: string, params: unknown[]) {
      setTimeout(tellDoor, COMMAND_MS).unref() // it may have changed whom the game lets in
      if (game.state().phase !== 'running') throw new NotManaged('the game does not run')
      return management.call(method, params)
    },
    /** Of nobody, unless the game runs: one that is frozen reads nothing. */
    positions: async () => (game.state().phase === 'running' ? positions.ask() : []),
    snapshot(id: string) {
      if (!files.has(id)) workOnFiles({ kind: 'snapshot', id })
    },
    restoreSnapshot(id: string) {
      if (!files.has(id)) throw new ConflictError('there is no such snapshot')
      workOnFiles({ kind: 'restore', id })
    },
    async deleteSnapshot(id: string) {
      requireWholeFiles()
      await files.remove(id)
    },
    format: (keep: string[]) => workOnFiles({ kind: 'format', keep }),
    readFile: (name: KnownFile) => readKnownFile(paths, name),
    writeFile(name: KnownFile, text: string) {
      requireWholeFiles()
      writeKnownFile({ paths, gameUser }, name, text)
    },
    watchLines: lineWatch.set,
    /** Somebody watches the console; returns how to end that. */
    watch() {
      watchers++
      noteAwake()
      return () => {
        watchers--
        noteAwake()
      }
    },
    stop: (timeoutSeconds: number) => inBackground(game.stop(timeoutSeconds)),
    async restart(timeoutSeconds: number) {
      await requireInstalled()
      requireRoom()
      inBackground(game.restart(timeoutSeconds))
    },
    kill: () => game.kill(),
    type(line: string) {
      setTimeout(tellDoor, COMMAND_MS).unref() // it may have changed whom the game lets in
      return game.type(line)
    },
    gamePort: () => game.state().port,
    gamePid: () => game.state().pid,
    /** Null for a game that is not Java's. */
    heap: readHeap,
    disk,
    onStatus(listener: () => void) {
      statusListeners.add(listener)
      return () => statusListeners.delete(listener)
    },
    /** Stops the game, the world saved, and closes what is open. */
    async close(timeoutSeconds: number) {
      clearInterval(pinger)
      doorToldAt = Infinity
      disk.close()
      files.close()
      await game.shutDown(timeoutSeconds)
      await mysql?.close()
      awake.close()
      management.close()
      world.close()
      await events.close()
      gameConsole.close()
    },
  }

  function inBackground(action: Promise<void>) {
    action.catch((error) => log('error', 'power action failed', { error }))
  }
}
