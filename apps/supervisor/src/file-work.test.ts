/** Snapshots and clearing, over a supervisor of ours and its routes. */
import { execFileSync } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { clearFiles } from './clear-files.ts'
import { packageFolder, writeInstalled } from './install/record.ts'
import { createSupervisor } from './supervisor.ts'
import { makeManifest, tempFolder } from './test-support/temp.ts'
import { volumePaths } from './volume.ts'

const SCRIPT = join(import.meta.dirname, 'test-support/script-game.ts')

function open(volume: string) {
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
  const settle = (kind: string) =>
    vi.waitFor(() => {
      expect(supervisor.status().fileWork).toBeNull()
      expect(supervisor.status().lastFileWork).toMatchObject({ kind })
      return supervisor.status().lastFileWork!
    }, 15_000)
  return { supervisor, settle }
}

/** A volume with a game installed, a few files, a link out of it, and one that looks like ours. */
function makeVolume() {
  const volume = tempFolder()
  const paths = volumePaths(volume)
  const manifest = makeManifest('script-game', [])
  mkdirSync(packageFolder(paths, manifest), { recursive: true })
  const launch = { command: ['{NODE}', '--no-warnings', SCRIPT, '{PORT}'], env: {}, stopCommand: 'stop' }
  const files = [{ path: 'eula.txt', content: 'eula=true\n', mode: 'replace' as const }]
  const plan = { hash: 'x', packages: [manifest], files, launch }
  writeInstalled(paths, { plan, configured: true, sharedFiles: {}, staleFiles: [] })
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(volume, path)), { recursive: true })
    writeFileSync(join(volume, path), text)
  }
  write('world/region/r.0.0.mca', 'blocks')
  write('world/.wakestone/mine', 'not yours')
  write('-rf', 'a name like an option')
  write('plugins/one.jar', '1')
  symlinkSync('/etc/passwd', join(volume, 'link'))
  const read = (path: string) => readFileSync(join(volume, path), 'utf8')
  return { volume, paths, write, read }
}

test('a snapshot brings back every file as it was, and only those', async () => {
  const { volume, write, read, paths } = makeVolume()
  const { supervisor, settle } = open(volume)
  expect(() => supervisor.restoreSnapshot('one')).toThrow('no such snapshot')
  supervisor.snapshot('one')
  supervisor.snapshot('one')
  expect(supervisor.status().fileWork).toMatchObject({ kind: 'snapshot', id: 'one' })
  await expect(supervisor.start()).rejects.toThrow('under way')
  expect(() => supervisor.format([])).toThrow('under way')
  expect(await settle('snapshot')).toMatchObject({ id: 'one', error: null })
  expect(supervisor.status().snapshots).toMatchObject([{ id: 'one' }])

  write('world/region/r.0.0.mca', 'griefed')
  write('world/region/r.9.9.mca', 'new')
  supervisor.restoreSnapshot('one')
  expect((await settle('restore')).error).toBeNull()
  expect(read('world/region/r.0.0.mca')).toBe('blocks')
  expect(existsSync(join(volume, 'world/region/r.9.9.mca'))).toBe(false)
  expect(read('-rf')).toBe('a name like an option')
  expect(read('world/.wakestone/mine')).toBe('not yours')
  expect(readlinkSync(join(volume, 'link'))).toBe('/etc/passwd')
  expect(readFileSync('/etc/passwd', 'utf8')).toContain('root')

  // What the plan lays among the files is there again when the game starts.
  await supervisor.start()
  await vi.waitFor(() => expect(supervisor.status().phase).toBe('running'), 15_000)
  expect(read('eula.txt')).toBe('eula=true\n')
  expect(() => supervisor.snapshot('two')).toThrow('stopped first')
  supervisor.stop(10)
  await vi.waitFor(() => expect(supervisor.status().phase).toBe('stopped'), 15_000)
  await supervisor.deleteSnapshot('one')
  await supervisor.deleteSnapshot('one')
  expect(supervisor.status().snapshots).toEqual([])
  expect(existsSync(join(paths.snapshots, 'one'))).toBe(false)
})

test('a way back that was cut off is gone to its end by the next supervisor; half a snapshot is none', async () => {
  const { volume, read, paths } = makeVolume()
  const first = open(volume)
  first.supervisor.snapshot('one')
  await first.settle('snapshot')
  await first.supervisor.close(0)
  // As a kill leaves it: noted, everything removed, a part of it back.
  execFileSync('rm', ['-rf', join(volume, 'world'), join(volume, 'plugins')])
  mkdirSync(join(volume, 'world'))
  mkdirSync(join(paths.snapshots, 'two.part/world'), { recursive: true })
  writeFileSync(join(paths.snapshots, 'under-way.json'), JSON.stringify({ kind: 'restore', id: 'one' }))
  const { supervisor, settle } = open(volume)
  await expect(supervisor.start()).rejects.toThrow('under way')
  expect((await settle('restore')).error).toBeNull()
  expect(read('world/region/r.0.0.mca')).toBe('blocks')
  expect(supervisor.status().snapshots).toMatchObject([{ id: 'one' }])
  expect(existsSync(join(paths.snapshots, 'two.part'))).toBe(false)
  await supervisor.start()
})

test('clearing spares what it is told to, and follows no link', async () => {
  const { volume, read } = makeVolume()
  const outside = tempFolder()
  mkdirSync(join(outside, 'keep'))
  writeFileSync(join(outside, 'precious'), 'x')
  symlinkSync(outside, join(volume, 'way'))
  const { supervisor, settle } = open(volume)
  supervisor.format(['world/region', 'plugins/*', 'way/keep', 'nowhere/x'])
  expect((await settle('format')).error).toBeNull()
  expect(read('world/region/r.0.0.mca')).toBe('blocks')
  for (const gone of ['world/.wakestone', '-rf', 'plugins/one.jar', 'link', 'way'])
    expect([gone, lstatSync(join(volume, gone), { throwIfNoEntry: false })]).toEqual([gone, undefined])
  expect(readFileSync(join(outside, 'precious'), 'utf8')).toBe('x')
})

test('clearing minds names of any bytes', async () => {
  const folder = tempFolder()
  writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff, 0xfe, 10, 0x2a])]), '')
  writeFileSync(join(folder, 'a[b]*'), '')
  writeFileSync(join(folder, 'ab'), '')
  await clearFiles({ folder, keep: ['a[b]*'], signal: new AbortController().signal })
  expect(execFileSync('ls', [folder]).toString()).toBe('a[b]*\n')
})

test('known files are read and written without following what the game has laid in the way', async () => {
  const { volume } = makeVolume()
  const { supervisor } = open(volume)
  expect(supervisor.readFile('ops.json')).toBeUndefined()
  supervisor.writeFile('ops.json', '[]')
  expect(supervisor.readFile('ops.json')).toBe('[]')
  const secret = join(tempFolder(), 'secret')
  writeFileSync(secret, 'hush')
  symlinkSync(secret, join(volume, 'whitelist.json'))
  execFileSync('mkfifo', [join(volume, 'banned-ips.json')])
  expect(supervisor.readFile('whitelist.json')).toBeUndefined()
  expect(supervisor.readFile('banned-ips.json')).toBeUndefined()
  supervisor.writeFile('whitelist.json', '[1]')
  expect(readFileSync(secret, 'utf8')).toBe('hush')
  expect(supervisor.readFile('whitelist.json')).toBe('[1]')
})
