/** A game of 1.21.11, as the simulated catalogue hands it out, managed by its management protocol. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { makeServerJar } from '../../../packages/simulators/src/stand-ins.ts'
import { packageFolder, writeInstalled } from './install/record.ts'
import { createSupervisor } from './supervisor.ts'
import { makeManifest, tempFolder } from './test-support/temp.ts'
import { volumePaths } from './volume.ts'

async function start(version: string) {
  const volume = tempFolder()
  const paths = volumePaths(volume)
  const manifest = makeManifest('stand-in', [])
  mkdirSync(packageFolder(paths, manifest), { recursive: true })
  const jar = join(volume, 'server.cjs')
  writeFileSync(jar, makeServerJar({ engine: 'vanilla', version, protocol: 774 }).content)
  writeFileSync(join(volume, 'eula.txt'), 'eula=true\n')
  const launch = {
    command: [process.execPath, jar, '--port', '{PORT}'],
    env: {},
    stopCommand: 'stop',
    flush: { command: 'save-all flush', answer: ': Saved the game' },
    management: true,
  }
  const plan = { hash: 'x', packages: [manifest], files: [], launch }
  writeInstalled(paths, { plan, configured: true, sharedFiles: {}, staleFiles: [] })
  const supervisor = createSupervisor({
    config: {
      serverId: '5b9ac2a0-1f3f-4c8e-9d2f-2f1f5f3a7c11',
      listen: { port: 0 },
      publicKey: '',
      volume,
      limits: { memoryBytes: 5e8, cpu: 1, diskBytes: 1e9, players: 5 },
      cgroup: null,
    },
    log: () => {},
  })
  onTestFinished(async () => {
    supervisor.kill()
    await supervisor.close(0)
  })
  await supervisor.start()
  await vi.waitFor(() => expect(supervisor.status().phase).toBe('running'), 20_000)
  const console = () => supervisor.console.lastTexts(200).join('\n')
  return { supervisor, volume, console }
}

test('players, lists and saving of a game go by it; the console knows nothing of that', async () => {
  const { supervisor, volume, console } = await start('1.21.11')
  await vi.waitFor(() => expect(supervisor.status().managed).toBe(true), 10_000)
  const properties = readFileSync(join(volume, 'server.properties'), 'utf8')
  expect(properties).toMatch(/^management-server-tls-enabled=false$/m)
  expect(properties).toMatch(/^management-server-secret=[A-Za-z0-9]{40}$/m)
  supervisor.type('join Steve')
  await vi.waitFor(() => expect(supervisor.status().players.names).toEqual(['Steve']), 5_000)
  await supervisor.manage('operators/add', [[{ player: { name: 'Alex' }, permissionLevel: 2 }]])
  expect(JSON.parse(readFileSync(join(volume, 'ops.json'), 'utf8'))).toMatchObject([{ name: 'Alex', level: 2 }])
  supervisor.holdWorld(30)
  await vi.waitFor(() => expect(supervisor.status().world).toBe('held'), 5_000)
  expect(console()).toContain('Automatic saving is now disabled')
  supervisor.releaseWorld()
  await vi.waitFor(() => expect(console()).toContain('Automatic saving is now enabled'), 5_000)
  expect(console()).not.toContain('save-all')
  supervisor.type('leave Steve')
  await vi.waitFor(() => expect(supervisor.status().players.names).toEqual([]), 5_000)
})

test('a game that has none of it is held by its console', async () => {
  const { supervisor, console } = await start('1.21.4')
  supervisor.holdWorld(30)
  await vi.waitFor(() => expect(console()).toContain('Saved the game'), 5_000)
  await vi.waitFor(() => expect(supervisor.status().world).toBe('held'), 5_000)
  expect(supervisor.status().managed).toBe(false)
  await expect(supervisor.manage('operators/add', [[]])).rejects.toThrow('no operators/add')
})
