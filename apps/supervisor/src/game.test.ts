import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Launch } from '@wakestone/packager/manifest'
import type { SupervisorConfig, SupervisorEvent } from '@wakestone/protocol/supervisor'
import { supervisorEventSchema } from '@wakestone/protocol/supervisor'
import { protocolVersions } from '@wakestone/protocol/versions'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { packageFolder, writeInstalled } from './install/record.ts'
import { readStat } from './proc.ts'
import { createSupervisor } from './supervisor.ts'
import { isLong } from '../../../tests/support/long.ts'
import { makeManifest, tempFolder } from './test-support/temp.ts'
import { volumePaths } from './volume.ts'

const SCRIPT = join(import.meta.dirname, 'test-support/script-game.ts')

/** A supervisor in this process, with the script game installed; its waits before restarts are short. */
function openSupervisor({
  volume = tempFolder(),
  env = {},
  command = ['{NODE}', '--no-warnings', SCRIPT, '{PORT}'],
  flush = undefined as Launch['flush'],
  pingMs = 5_000,
  minecraft = undefined as string | undefined,
} = {}) {
  const paths = volumePaths(volume)
  const made = makeManifest('script-game', [])
  const manifest = { ...made, provides: minecraft === undefined ? [] : [{ name: 'minecraft', version: minecraft }] }
  mkdirSync(packageFolder(paths, manifest), { recursive: true })
  const plan = {
    hash: 'x',
    packages: [manifest],
    files: [],
    launch: { command, env, stopCommand: 'stop', ...(flush && { flush }) },
  }
  writeInstalled(paths, { plan, configured: true, sharedFiles: {}, staleFiles: [] })
  const config: SupervisorConfig = {
    serverId: '5b9ac2a0-1f3f-4c8e-9d2f-2f1f5f3a7c11',
    listen: { port: 0 },
    publicKey: '',
    volume,
    limits: { memoryBytes: 5e8, cpu: 1, diskBytes: 1e9, players: 5 },
    cgroup: null,
  }
  const supervisor = createSupervisor({ config, log: () => {}, backOffMs: [50, 100, 150], pingMs })
  const events: SupervisorEvent[] = []
  supervisor.events.follow(0, (line) => events.push(supervisorEventSchema.parse(JSON.parse(line))))
  onTestFinished(async () => {
    supervisor.kill()
    await supervisor.close(0)
  })
  const lines = () => supervisor.console.lastTexts(1000)
  const reach = (phase: string) =>
    vi.waitFor(() => expect(supervisor.status(protocolVersions.newest).phase).toBe(phase), 15_000)
  const phases = () => events.flatMap((event) => (event.type === 'phase' ? [event.status.phase] : []))
  const ofType = <T extends SupervisorEvent['type']>(type: T) =>
    events.filter((event): event is Extract<SupervisorEvent, { type: T }> => event.type === type)
  return { supervisor, config, volume, lines, reach, phases, ofType, settled: () => supervisor.events.settled() }
}

test('start, ready, command, stop', async () => {
  const { supervisor, reach, lines, phases, settled } = openSupervisor({ env: { READY_DELAY: '300' } })
  expect(supervisor.type('early')).toBe(false)
  await supervisor.start()
  expect(supervisor.status()).toMatchObject({ phase: 'starting', lastExit: null })
  await reach('running')
  expect(supervisor.status()).toMatchObject({ gamePort: expect.any(Number), players: { online: 0, max: 7 } })
  expect(lines().some((line) => line.startsWith('listening on'))).toBe(true)
  expect(supervisor.type('hello \x1b[31mred\x1b[0m')).toBe(true)
  await vi.waitFor(() => expect(lines()).toContain('said hello \x1b[31mred\x1b[0m'), 15_000)
  supervisor.stop(10)
  expect(supervisor.status().phase).toBe('stopping')
  await reach('stopped')
  expect(supervisor.status()).toMatchObject({ gamePort: null, launchedAt: null, lastExit: { code: 0, expected: true } })
  await settled()
  expect(phases()).toEqual(['starting', 'running', 'stopping', 'stopped'])
})

test('a world of a newer version is not begun, whatever its folder is called', async () => {
  const volume = tempFolder()
  mkdirSync(join(volume, 'worlds/mine'), { recursive: true })
  // Data: {Version: {Name: '1.21.4'}, DataVersion: 4189}
  const nbt = Buffer.concat([
    Buffer.from('0a00000a0004446174610a000756657273696f6e0800044e616d650006312e32312e3400', 'hex'),
    Buffer.from('03000b4461746156657273696f6e0000105d0000', 'hex'),
  ])
  writeFileSync(join(volume, 'worlds/mine/level.dat'), gzipSync(nbt))
  writeFileSync(join(volume, 'server.properties'), 'level-name=worlds/mine\n')
  const { supervisor, reach, ofType, lines, settled } = openSupervisor({ volume, minecraft: '1.20.4' })
  expect(supervisor.status().worldVersion).toEqual({ version: '1.21.4', dataVersion: 4189 })
  await supervisor.start()
  await reach('crashed')
  await settled()
  expect(ofType('crashed')[0]).toMatchObject({
    crash: { tag: 'version_downgrade', details: { world_version: '1.21.4', server_version: '1.20.4' } },
  })
  expect(lines()).toContain('Cannot start: the world was saved by Minecraft 1.21.4, and 1.20.4 would spoil it')
  writeFileSync(join(volume, 'server.properties'), 'level-name=../elsewhere\n')
  expect(supervisor.status().worldVersion).toBeNull()
  await supervisor.start()
  await reach('running')
})

test.runIf(isLong)('repeated and mixed actions are taken in order', async () => {
  const { supervisor, reach, phases, settled } = openSupervisor()
  await supervisor.start()
  await supervisor.start()
  supervisor.stop(10)
  supervisor.stop(10)
  await supervisor.start()
  await reach('running')
  await supervisor.restart(10)
  await reach('stopping')
  await reach('running')
  supervisor.stop(10)
  await reach('stopped')
  supervisor.stop(10)
  await settled()
  expect(phases().filter((phase) => phase !== 'running')).toEqual(
    [1, 2, 3].flatMap(() => ['starting', 'stopping', 'stopped']),
  )
})

test('a game that does not listen is killed after the timeout, or at once', async () => {
  const { supervisor, reach, lines } = openSupervisor()
  await supervisor.start()
  await reach('running')
  supervisor.type('deaf')
  supervisor.stop(600)
  expect(supervisor.status().phase).toBe('stopping')
  supervisor.stop(0)
  await reach('stopped')
  expect(supervisor.status().lastExit).toMatchObject({ signal: 'SIGKILL', expected: true })
  expect(lines()).toContain('The game did not end in time and is killed.')
})

test.runIf(isLong)('a kill passes by what is under way and what waits', async () => {
  const { supervisor, reach } = openSupervisor()
  await supervisor.start()
  await reach('running')
  supervisor.type('deaf')
  supervisor.stop(600)
  await supervisor.restart(600)
  supervisor.kill()
  await reach('stopped')
  expect(supervisor.status().lastExit).toMatchObject({ signal: 'SIGKILL', expected: true })
  await supervisor.start()
  supervisor.kill()
  await reach('stopped')
})

test('three crashes: restarts, then none until somebody asks', async () => {
  const { supervisor, reach, ofType, volume, settled } = openSupervisor()
  await supervisor.start()
  for (const next of ['running', 'running', 'crashed']) {
    await reach('running')
    supervisor.type('crash 3')
    if (next === 'running') await reach('restarting')
  }
  await reach('crashed')
  await settled()
  expect(ofType('crashed')).toMatchObject([
    { crashCount: 1, tooManyTimes: false, exit: { code: 3, expected: false } },
    { crashCount: 2, tooManyTimes: false },
    { crashCount: 3, tooManyTimes: true, reasons: ['out_of_memory'] },
  ])
  const { lastLines } = ofType('crashed')[0]!
  expect(lastLines.some((line) => line.includes('Java heap space'))).toBe(true)
  // Another supervisor on this volume knows it still.
  await supervisor.close(1)
  const next = openSupervisor({ volume })
  expect(next.supervisor.status()).toMatchObject({ phase: 'crashed', lastExit: { code: 3, expected: false } })
  expect(next.lines().some((line) => line.includes('Java heap space'))).toBe(true)
  await next.supervisor.start()
  await next.reach('running')
  next.supervisor.type('crash')
  await next.reach('restarting')
  next.supervisor.stop(1)
  await next.reach('stopped')
})

test.runIf(isLong)('an exit with code 0 is a crash, unless it was stopped from inside', async () => {
  const { supervisor, reach, ofType } = openSupervisor()
  await supervisor.start()
  await reach('running')
  supervisor.type('/stop')
  supervisor.type('stop')
  await reach('stopped')
  expect(supervisor.status().lastExit).toMatchObject({ code: 0, expected: true })
  await supervisor.start()
  await reach('running')
  supervisor.type('exit')
  await reach('restarting')
  expect(supervisor.status().lastExit).toMatchObject({ code: 0, expected: false })
  await vi.waitFor(() => expect(ofType('crashed')).toMatchObject([{ reasons: ['unknown'] }]), 15_000)
})

test('a program that is not there is a crash, and says so', async () => {
  const { supervisor, reach, lines } = openSupervisor({ command: ['/nowhere/game'] })
  await supervisor.start()
  await reach('crashed')
  expect(lines().some((line) => line.includes('could not start'))).toBe(true)
})

test('a launch that names a missing package says so', async () => {
  const { supervisor, reach, lines } = openSupervisor({ command: ['{JAVA}'] })
  await supervisor.start()
  await reach('crashed')
  expect(lines()).toContain('Cannot start: the plan holds no package java')
})

test('players come and go by the console', async () => {
  const { supervisor, reach, ofType, settled } = openSupervisor()
  await supervisor.start()
  await reach('running')
  // The script repeats what it is told behind the word `said`, so that lines of an engine are typed into its own.
  supervisor.console.write('out', '[14:02:11] [Server thread/INFO]: Steve joined the game')
  supervisor.console.write('in', '[14:02:11] [Server thread/INFO]: Alex joined the game')
  supervisor.console.flush()
  expect(supervisor.status().players).toEqual({ online: 1, max: 7, names: ['Steve'] })
  supervisor.kill()
  await reach('stopped')
  expect(supervisor.status().players).toMatchObject({ online: 0, names: [] })
  await settled()
  expect(ofType('player_joined')).toMatchObject([{ name: 'Steve' }])
  expect(ofType('player_left')).toMatchObject([{ name: 'Steve' }])
})

test.runIf(isLong)('what keeps a game awake: players by its lines and by its counts, and who watches', async () => {
  const { supervisor, reach, ofType, settled } = openSupervisor({ pingMs: 50 })
  const awake = () => supervisor.status().awake
  const becomes = (reasons: string[]) => vi.waitFor(() => expect(awake()).toEqual(reasons), 5_000)
  const leave = supervisor.watch()
  await supervisor.start()
  expect(supervisor.status()).toMatchObject({ awake: [], emptySince: null })
  await reach('running')
  expect(supervisor.status()).toMatchObject({ awake: ['console'], emptySince: null })
  supervisor.type('online 2')
  await becomes(['player', 'console'])
  leave()
  expect(awake()).toEqual(['player'])
  supervisor.type('online 0')
  await becomes([])
  const { emptySince } = supervisor.status()
  expect(Math.abs(Date.now() - Date.parse(emptySince!))).toBeLessThan(5_000)
  supervisor.console.write('out', '[14:02:11] [Server thread/INFO]: Steve joined the game')
  supervisor.console.flush()
  expect(supervisor.status()).toMatchObject({ awake: ['player'], emptySince: null })
  supervisor.stop(10)
  await reach('stopped')
  expect(supervisor.status()).toMatchObject({ awake: [], emptySince: null })
  await vi.waitFor(() => expect(ofType('awake').at(-1)).toMatchObject({ awake: [], emptySince: null }), 5_000)
  await settled()
  const times = ofType('awake').map(({ at }) => Date.parse(at))
  // Some milliseconds less: the time of an event is that of its writing.
  for (const [index, time] of times.entries()) if (index > 0) expect(time - times[index - 1]!).toBeGreaterThan(900)
})

test.runIf(isLong)('the face and the door of a game are told when they change', async () => {
  const { supervisor, reach, ofType, volume } = openSupervisor({ pingMs: 50 })
  writeFileSync(join(volume, 'server.properties'), 'motd=x\nwhite-list=true\n')
  writeFileSync(join(volume, 'whitelist.json'), '[{"uuid":"1","name":"Steve"}]')
  await supervisor.start()
  await reach('running')
  const door = { whitelist: ['steve'], banned: [], bannedAddresses: [] }
  await vi.waitFor(() => expect(ofType('door').at(-1)).toMatchObject(door), 5_000)
  await vi.waitFor(() => expect(ofType('face').at(-1)).toMatchObject({ description: '""', max: 7, icon: null }), 5_000)
  writeFileSync(join(volume, 'banned-players.json'), '[{"name":"Herobrine","expires":"forever"}]')
  await vi.waitFor(() => expect(ofType('door').at(-1)).toMatchObject({ ...door, banned: ['herobrine'] }), 5_000)
  const told = ofType('door').length
  writeFileSync(join(volume, 'ops.json'), '[') // torn
  supervisor.type('motd other')
  await vi.waitFor(() => expect(supervisor.status().players.max).toBe(7), 5_000)
  expect(ofType('door')).toHaveLength(told)
})

test('children of a game end with it', async () => {
  const script = `sleep 300 & echo child $!; exec '${process.execPath}' --no-warnings '${SCRIPT}' "$0"`
  const { supervisor, reach, lines } = openSupervisor({ command: ['/bin/sh', '-c', script, '{PORT}'] })
  await supervisor.start()
  await reach('running')
  const child = Number(/^child (\d+)$/m.exec(lines().join('\n'))?.[1])
  const commandLine = `/proc/${child}/cmdline`
  expect(readFileSync(commandLine, 'utf8')).toContain('sleep')
  supervisor.stop(10)
  await reach('stopped')
  // Until its new parent has waited for it, a dead process has a number, and no command line.
  await vi.waitFor(() => expect(existsSync(commandLine) ? readFileSync(commandLine, 'utf8') : '').toBe(''), 15_000)
})

test('nothing is started where nothing is installed', async () => {
  const { supervisor, volume } = openSupervisor()
  await supervisor.close(0)
  writeFileSync(volumePaths(volume).installed, 'damaged')
  const { config } = supervisor
  const empty = createSupervisor({ config, log: () => {} })
  onTestFinished(() => empty.close(0))
  expect(empty.status()).toMatchObject({ phase: 'empty', installedPlan: null })
  await expect(empty.start()).rejects.toThrow('nothing is installed')
})

describe('a game that is frozen', () => {
  const flush = { command: 'save-all', answer: 'said save-all' }
  const stateOf = (pid: number) => readStat(`/proc/${pid}/stat`)?.state
  async function openFrozen(options: Parameters<typeof openSupervisor>[0] = {}) {
    const opened = openSupervisor({ flush, ...options })
    await opened.supervisor.start()
    await opened.reach('running')
    opened.supervisor.freeze()
    await opened.reach('frozen')
    return opened
  }

  test('has its world written first, halts with all of its processes and goes on with them', async () => {
    const children = `sleep 300 & echo child $!; setsid sleep 300 & echo child $!; `
    const { supervisor, reach, lines, phases, settled } = await openFrozen({
      command: ['/bin/sh', '-c', `${children} '${process.execPath}' --no-warnings '${SCRIPT}' "$0"`, '{PORT}'],
    })
    const printed = [
      ...lines()
        .join('\n')
        .matchAll(/^child (\d+)$/gm),
    ].map(([, pid]) => Number(pid))
    const pids = [...printed, supervisor.gamePid()!]
    const [first, second] = ['said save-all', 'The game is frozen, since nobody needs it.'].map((l) =>
      lines().indexOf(l),
    )
    expect(first).toBeGreaterThan(0)
    expect(second).toBeGreaterThan(first!)
    expect(pids).toHaveLength(3)
    expect(pids.map(stateOf)).toEqual(['T', 'T', 'T'])
    expect(supervisor.status(3)).toMatchObject({ phase: 'frozen', awake: [], emptySince: expect.any(String) })
    // Who does not know of it believes that it runs.
    expect(supervisor.status(2)).toMatchObject({ phase: 'running' })
    supervisor.freeze()
    supervisor.thaw()
    expect(supervisor.status(3).phase).toBe('running')
    await vi.waitFor(() => expect(pids.map(stateOf)).toEqual(['S', 'S', 'S']), 5_000)
    expect(lines().at(-1)).toMatch(/^The game goes on; it was frozen for \d+ s\.$/)
    supervisor.thaw()
    supervisor.stop(10)
    await reach('stopped')
    await settled()
    expect(phases()).toEqual(['starting', 'running', 'frozen', 'running', 'stopping', 'stopped'])
  })

  test.runIf(isLong)('goes on for a command', async () => {
    const { supervisor, lines } = await openFrozen()
    expect(supervisor.type('hello')).toBe(true)
    expect(supervisor.status(3).phase).toBe('running')
    await vi.waitFor(() => expect(lines()).toContain('said hello'), 5_000)
  })

  test.runIf(isLong).each(['stop', 'restart', 'kill', 'close'] as const)('obeys a %s', async (action) => {
    const { supervisor, reach } = await openFrozen()
    if (action === 'close') await supervisor.close(10)
    else void supervisor[action](10)
    if (action === 'restart') await reach('starting')
    else await reach('stopped')
    const killed = action === 'kill'
    expect(supervisor.status().lastExit).toMatchObject(
      killed ? { signal: 'SIGKILL', expected: true } : { code: 0, expected: true },
    )
    if (action === 'restart') await reach('running')
  })

  test('that is killed from outside has crashed, and starts again', async () => {
    const { supervisor, reach, ofType, settled } = await openFrozen()
    process.kill(supervisor.gamePid()!, 'SIGKILL')
    await reach('restarting')
    await reach('running')
    await settled()
    expect(ofType('crashed')).toMatchObject([{ exit: { signal: 'SIGKILL', expected: false } }])
  })

  test.runIf(isLong)('is none that somebody needs: before, and while its world is written', async () => {
    const { supervisor, reach, lines } = openSupervisor({ flush: { command: 'quiet', answer: 'written' } })
    expect(() => supervisor.freeze()).toThrow('does not run')
    await supervisor.start()
    await reach('running')
    const leave = supervisor.watch()
    expect(supervisor.status().awake).toEqual(['console'])
    expect(() => supervisor.freeze()).toThrow('kept awake by: console')
    leave()
    supervisor.freeze()
    await vi.waitFor(() => expect(lines()).toContain('said quiet'), 5_000)
    supervisor.console.write('out', '[14:02:11] [Server thread/INFO]: Steve joined the game')
    supervisor.console.flush()
    supervisor.console.write('out', '[14:02:11] [Server thread/INFO]: written')
    supervisor.type('hello')
    await vi.waitFor(() => expect(lines()).toContain('said hello'), 5_000)
    expect(supervisor.status(3)).toMatchObject({ phase: 'running', awake: ['player'], emptySince: null })
    expect(lines().some((line) => line.includes('frozen'))).toBe(false)
  })

  test.runIf(isLong)('and a supervisor that ended with it: both were killed', async () => {
    const { supervisor, config, volume } = await openFrozen()
    const pid = supervisor.gamePid()!
    const next = openSupervisor({ volume })
    expect(next.supervisor.status(3)).toMatchObject({
      phase: 'stopped',
      lastExit: { code: null, signal: null, expected: false },
    })
    expect(config.volume).toBe(volume)
    process.kill(pid, 'SIGKILL')
  })
})
