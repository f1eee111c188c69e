/** Twelve packages that come, change and go, killed at any moment: always one of two locks, whole. */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { InstallPlan, Manifest } from '@wakestone/packager/manifest'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isLong } from '../../../../tests/support/long.ts'
import { makeManifest, packFiles, serveHttp, sha256, tempFolder } from '../test-support/temp.ts'
import { volumePaths } from '../volume.ts'
import { finishInstall, installPlan } from './install.ts'
import { packageFolder, readInstalled } from './record.ts'

const launch = { command: ['{NODE}', '{DIR:engine}/game.mjs'], env: {}, stopCommand: 'stop' }
const planOf = (packages: Manifest[], settings?: Record<string, string>): InstallPlan => ({
  hash: sha256(Buffer.from(JSON.stringify([packages, settings]))),
  packages,
  files: [{ path: 'server.properties', content: 'level-name=isle\n', mode: 'merge-properties' }],
  launch: { ...launch, ...(settings && { settings }) },
})
const install = (volume: string, plan: InstallPlan) =>
  installPlan({
    paths: volumePaths(volume),
    plan,
    gameUser: null,
    maxBytes: 1e8,
    onProgress: () => undefined,
    retryDelaysMs: [],
  })

async function openFiles() {
  const files = new Map<string, Buffer>()
  const origin = await serveHttp((request, response) => {
    const data = files.get(request.url as string)
    if (data === undefined) return response.writeHead(404).end()
    return response.end(data)
  })
  return (path: string, data: Buffer, changes = {}): Manifest['downloadFiles'][number] => {
    files.set(`/${path}`, data)
    return {
      name: path,
      url: `${origin}/${path}`,
      hash: sha256(data),
      size: data.length,
      unpack: 'tar.gz',
      strip: 0,
      ...changes,
    }
  }
}

/** An engine and twelve packages of every kind of placement; odd ones are only in one of both versions. */
async function makePlans(serve: Awaited<ReturnType<typeof openFiles>>): Promise<[InstallPlan, InstallPlan]> {
  const engine = makeManifest('engine', [serve('engine.tgz', await packFiles({ 'game.mjs': '// game' }))])
  const version = async (mark: string) => {
    const packages: Manifest[] = [engine]
    for (let number = 0; number < 12; number += 1) {
      if (mark === '2' && number % 4 === 3) continue
      const name = `p${number}`
      const subdir = number % 3 === 0 ? 'plugins' : number % 3 === 1 ? '{server}' : '{world}/datapacks'
      const content = { [`${name}.txt`]: `${name} ${mark}`, [`${name}/deep/file.yml`]: `v: ${mark}` }
      const file =
        number % 2 === 0
          ? serve(`${name}-${mark}.tgz`, await packFiles(content))
          : serve(`${name}-${mark}.txt`, Buffer.from(`${name} ${mark}`), { unpack: 'none', name: `${name}.txt` })
      packages.push(makeManifest(name, [file], { subdir, packageVersion: mark }))
    }
    return planOf(packages)
  }
  return [await version('1'), await version('2')]
}

function expectWhole(volume: string, plan: InstallPlan): void {
  const paths = volumePaths(volume)
  for (const manifest of plan.packages) expect(existsSync(packageFolder(paths, manifest))).toBe(true)
  const folders: Record<string, string> = { plugins: 'plugins', '{server}': '.', '{world}/datapacks': 'isle/datapacks' }
  for (let number = 0; number < 12; number += 1) {
    const manifest = plan.packages.find(({ name }) => name === `p${number}`)
    const subdir = number % 3 === 0 ? 'plugins' : number % 3 === 1 ? '{server}' : '{world}/datapacks'
    const path = join(volume, folders[subdir]!, `p${number}.txt`)
    if (manifest === undefined) expect(existsSync(path)).toBe(false)
    else expect(readFileSync(path, 'utf8')).toBe(`p${number} ${manifest.packageVersion}`)
  }
  const drafts = readdirSync(volume, { recursive: true }).filter((name) => String(name).endsWith('.wakestone-new'))
  expect(drafts).toEqual([])
}

test('twelve packages, killed at any moment: one of two locks, whole', { timeout: 600_000 }, async () => {
  const seed = Number(process.env['CRASH_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
  console.log(`CRASH_SEED=${seed}`)
  const moments = fc.sample(fc.integer({ min: 0, max: 400 }), { numRuns: isLong ? 100 : 3, seed })
  const volume = tempFolder()
  const plans = await makePlans(await openFiles())
  writeFileSync(join(volume, 'server.properties'), 'level-name=isle\n')
  await install(volume, plans[0])
  expectWhole(volume, plans[0])
  mkdirSync(join(volume, 'plugins'), { recursive: true })
  writeFileSync(join(volume, 'plugins/own.txt'), 'own')
  const script = `
    import { installPlan } from ${JSON.stringify(join(import.meta.dirname, 'install.ts'))}
    import { volumePaths } from ${JSON.stringify(join(import.meta.dirname, '../volume.ts'))}
    const plans = ${JSON.stringify(plans)}
    console.log('ready')
    for (let turn = 1; ; turn++)
      await installPlan({ paths: volumePaths(${JSON.stringify(volume)}), plan: plans[turn % 2], gameUser: null, maxBytes: 1e9, onProgress() {} })`
  const seen = new Set<string>()
  for (const moment of moments) {
    const child = spawn(process.execPath, ['--no-warnings', '--input-type=module', '-e', script])
    const gone = new Promise((done) => child.once('exit', done))
    await new Promise((done) => child.stdout.once('data', done))
    await new Promise((done) => setTimeout(done, moment))
    child.kill('SIGKILL')
    await gone
    // What the next supervisor does before the game starts.
    const record = finishInstall(volumePaths(volume), null)
    const plan = plans.find(({ hash }) => hash === record?.plan.hash)!
    expect(record?.configured).toBe(true)
    seen.add(plan.hash)
    expectWhole(volume, plan)
    expect(readFileSync(join(volume, 'plugins/own.txt'), 'utf8')).toBe('own')
  }
  // And the one that was not there can be brought after all.
  await install(volume, plans[0])
  expectWhole(volume, plans[0])
  if (isLong) expect(seen.size).toBe(2)
})

test('two packages that bring the same file are refused by name, and nothing has changed', async () => {
  const volume = tempFolder()
  const serve = await openFiles()
  const engine = makeManifest('engine', [serve('engine.tgz', await packFiles({ 'game.mjs': '// game' }))])
  const pack = async (name: string, file: string) =>
    makeManifest(name, [serve(`${name}.tgz`, await packFiles({ [file]: name }))], { subdir: 'plugins' })
  await install(volume, planOf([engine]))
  const both = planOf([engine, await pack('one', 'shared.yml'), await pack('two', 'Shared.yml')])
  await expect(install(volume, both)).rejects.toMatchObject({
    packageName: 'two',
    message: 'same path: plugins/Shared.yml of one and two',
  })
  expect(readInstalled(volumePaths(volume))?.plan.packages).toHaveLength(1)
  expect(existsSync(join(volume, 'plugins'))).toBe(false)
  const own = planOf([
    engine,
    makeManifest('three', [serve('three.tgz', await packFiles({ '.trash/x': 'x' }))], { subdir: '{server}' }),
  ])
  await expect(install(volume, own)).rejects.toThrow('is not for packages')
})

test('what is there of nobody of us makes room or stays, and is never lost', async () => {
  const volume = tempFolder()
  const serve = await openFiles()
  const engine = makeManifest('engine', [serve('engine.tgz', await packFiles({ 'game.mjs': '// game' }))])
  await install(volume, planOf([engine]))
  mkdirSync(join(volume, 'plugins'))
  writeFileSync(join(volume, 'plugins/a.jar'), 'by hand')
  writeFileSync(join(volume, 'plugins/a.yml'), 'by hand')
  writeFileSync(join(volume, 'ops.json'), 'mine')
  const files = await packFiles({ 'a.jar': 'ours', 'a.yml': 'ours' })
  const plugin = makeManifest('a', [serve('a.tgz', files)], { subdir: 'plugins' })
  const config = makeManifest('c', [serve('c.tgz', await packFiles({ 'ops.json': 'ours' }))], {
    subdir: '{server}',
    place: 'keep',
  })
  const world = makeManifest('isle', [serve('w.tgz', await packFiles({ 'isle-1/level.dat': 'x' }))], {
    subdir: 'isle',
    place: 'once',
  })
  await install(volume, planOf([engine, plugin, config, world], { 'resource-pack': 'https://example.test/pack' }))
  const read = (path: string) => (existsSync(join(volume, path)) ? readFileSync(join(volume, path), 'utf8') : null)
  expect([read('plugins/a.jar'), read('plugins/a.jar.old')]).toEqual(['ours', 'by hand'])
  expect([read('plugins/a.yml'), read('plugins/a.yml.dist')]).toEqual(['by hand', 'ours'])
  expect([read('ops.json'), read('ops.json.dist')]).toEqual(['mine', 'ours'])
  expect(read('isle/level.dat')).toBe('x')
  // A start sets what the plan says; a plan that says it no more takes it away, where it still stands so.
  writeFileSync(join(volume, 'server.properties'), 'level-name=isle\nresource-pack=https://example.test/pack\n')
  writeFileSync(join(volume, 'isle/level.dat'), 'played')
  await install(volume, planOf([engine]))
  expect(read('server.properties')).toBe('level-name=isle\n')
  expect(read('isle/level.dat')).toBe('played')
  expect([read('plugins/a.jar'), read('plugins/a.yml'), read('ops.json')]).toEqual([null, 'by hand', 'mine'])
})
