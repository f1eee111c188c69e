import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { InstallPlan, Manifest } from '@wakestone/packager/manifest'
import type { InstallProgress } from '@wakestone/protocol/supervisor'
import fc from 'fast-check'
import { Header } from 'tar'
import { expect, test } from 'vitest'
import { isLong } from '../../../../tests/support/long.ts'
import { makeManifest, packFiles, serveHttp, sha256, tempFolder } from '../test-support/temp.ts'
import { volumePaths } from '../volume.ts'
import { findPlanFault } from './check-plan.ts'
import { mergeProperties } from './configure.ts'
import { downloadFile, FinalDownloadError } from './download.ts'
import { finishInstall, installPlan } from './install.ts'
import { packageFolder, readInstalled, writeInstalled } from './record.ts'
import { ArchiveError, unpackArchive } from './unpack.ts'

type Source = Awaited<ReturnType<typeof openSource>>

/** An HTTP source of packages that counts requests and can be told to fail. */
async function openSource() {
  const files = new Map<string, Buffer>()
  const requests: string[] = []
  const failures: ('status' | 'cut' | 'flip')[] = []
  const origin = await serveHttp((request, response) => {
    const url = request.url as string
    requests.push(url)
    const data = files.get(url)
    const failure = failures.shift()
    if (!data) return response.writeHead(404).end()
    if (failure === 'status') return response.writeHead(503).end()
    if (failure === 'cut') {
      response.writeHead(200, { 'content-length': data.length }).write(data.subarray(0, data.length / 2))
      return setTimeout(() => response.destroy(), 5)
    }
    if (failure === 'flip')
      return response.end(Buffer.from(data.map((byte, index) => (index === 50 ? byte ^ 1 : byte))))
    return response.end(data)
  })
  return {
    requests,
    failures,
    origin,
    serve(path: string, data: Buffer, changes = {}): Manifest['downloadFiles'][number] {
      files.set(path, data)
      const name = path.slice(1)
      return { name, url: origin + path, hash: sha256(data), size: data.length, unpack: 'tar.gz', strip: 0, ...changes }
    },
  }
}

const launch = { command: ['{NODE}', '{DIR:engine}/game.mjs'], env: {}, stopCommand: 'stop' }
const planOf = (packages: Manifest[], files: InstallPlan['files'] = []): InstallPlan => ({
  hash: sha256(Buffer.from(JSON.stringify([packages, files]))),
  packages,
  files,
  launch,
})

async function enginePlan(source: Source, version: string, files: InstallPlan['files'] = []) {
  const data = await packFiles({ 'game.mjs': `// ${version}`, [`lib/${version}.txt`]: version })
  return planOf([makeManifest('engine', [source.serve(`/engine-${version}.tar.gz`, data)])], files)
}

const install = (volume: string, plan: InstallPlan, onProgress: (progress: InstallProgress) => void = () => {}) =>
  installPlan({ paths: volumePaths(volume), plan, gameUser: null, maxBytes: 1e9, onProgress, retryDelaysMs: [1, 1] })

test('an engine change replaces the engine and leaves worlds alone', async () => {
  const volume = tempFolder()
  const source = await openSource()
  const files: InstallPlan['files'] = [
    { path: 'eula.txt', content: 'eula=true\n', mode: 'replace' },
    { path: 'ops.json', content: '[]', mode: 'create' },
    { path: 'server.properties', content: 'motd=ours\nmax-players=20\n', mode: 'merge-properties' },
  ]
  const steps = new Set<string>()
  await install(volume, await enginePlan(source, '1', files), ({ step }) => steps.add(step))
  expect([...steps]).toEqual(['download', 'verify', 'extract', 'swap', 'configure'])
  mkdirSync(join(volume, 'world'))
  writeFileSync(join(volume, 'world/level.dat'), 'world')
  writeFileSync(join(volume, 'ops.json'), '["me"]')
  writeFileSync(join(volume, 'server.properties'), '# mine\nmotd=mine')

  const next = await enginePlan(source, '2', files)
  await install(volume, next)
  const folder = packageFolder(volumePaths(volume), next.packages[0] as Manifest)
  expect(readFileSync(join(folder, 'lib/2.txt'), 'utf8')).toBe('2')
  expect(readdirSync(join(volume, '.wakestone/packages'))).toHaveLength(1)
  expect(readFileSync(join(volume, 'world/level.dat'), 'utf8')).toBe('world')
  expect(readFileSync(join(volume, 'ops.json'), 'utf8')).toBe('["me"]')
  expect(readFileSync(join(volume, 'server.properties'), 'utf8')).toBe('# mine\nmotd=mine\nmax-players=20\n')
  expect(readInstalled(volumePaths(volume))).toMatchObject({ configured: true, plan: { hash: next.hash } })
})

test('packages in a shared folder take their old files away and nobody else’s', async () => {
  const volume = tempFolder()
  const source = await openSource()
  const plugin = async (version: string) => {
    const jar = source.serve(`/plugin-${version}.jar`, Buffer.from(version), { unpack: 'none' })
    return makeManifest('plugin', [jar], { subdir: 'plugins' })
  }
  const engine = (await enginePlan(source, '1')).packages
  await install(volume, planOf([...engine, await plugin('1')]))
  writeFileSync(join(volume, 'plugins/own.jar'), 'own')
  await install(volume, planOf([...engine, await plugin('2')]))
  expect(readdirSync(join(volume, 'plugins')).sort()).toEqual(['own.jar', 'plugin-2.jar'])
})

test('a shared file that the owner has changed stays, and the new one lies beside it', async () => {
  const volume = tempFolder()
  const source = await openSource()
  const engine = (await enginePlan(source, '1')).packages
  const plugin = async (version: string) => {
    const data = await packFiles({ 'a/config.yml': `v: ${version}`, 'a/lang.yml': `l: ${version}`, 'a.jar': version })
    return makeManifest('a', [source.serve(`/a-${version}.tar.gz`, data)], { subdir: 'plugins' })
  }
  const read = (path: string) => (existsSync(join(volume, path)) ? readFileSync(join(volume, path), 'utf8') : null)
  await install(volume, planOf([...engine, await plugin('1')]))
  writeFileSync(join(volume, 'plugins/a/config.yml'), 'v: mine')
  await install(volume, planOf([...engine, await plugin('2')]))
  expect(read('plugins/a/config.yml')).toBe('v: mine')
  expect(read('plugins/a/config.yml.dist')).toBe('v: 2')
  expect(read('plugins/a/lang.yml')).toBe('l: 2')
  expect(read('plugins/a/lang.yml.dist')).toBeNull()
  expect(read('plugins/a.jar')).toBe('2')
  // Done once more, as after a kill, it is the same; and what is the owner's outlives the package.
  const record = readInstalled(volumePaths(volume))!
  writeInstalled(volumePaths(volume), { ...record, configured: false })
  finishInstall(volumePaths(volume), null)
  expect(read('plugins/a/config.yml')).toBe('v: mine')
  await install(volume, planOf(engine))
  expect(read('plugins/a/config.yml')).toBe('v: mine')
  expect([read('plugins/a/lang.yml'), read('plugins/a.jar')]).toEqual([null, null])
})

test('a fault leaves the old plan whole', async () => {
  const volume = tempFolder()
  const source = await openSource()
  const first = await enginePlan(source, '1')
  await install(volume, first)
  const next = await enginePlan(source, '2')
  source.failures.push('flip', 'flip', 'flip')
  await expect(install(volume, next)).rejects.toMatchObject({
    packageName: 'engine',
    message: 'hash differs from the manifest',
  })
  expect(readInstalled(volumePaths(volume))?.plan.hash).toBe(first.hash)
  expect(existsSync(packageFolder(volumePaths(volume), first.packages[0] as Manifest))).toBe(true)
  expect(existsSync(join(volume, '.wakestone/staging'))).toBe(false)
})

test('a kill at any moment leaves the old plan or the new one', { timeout: 120_000 }, async () => {
  const seed = Math.floor(Math.random() * 2 ** 31)
  console.log(`seed ${seed}`)
  const random = fc.sample(fc.integer({ min: 0, max: 80 }), { numRuns: isLong ? 30 : 5, seed })
  const volume = tempFolder()
  const paths = volumePaths(volume)
  const source = await openSource()
  const file = (content: string) => [{ path: 'eula.txt', content, mode: 'replace' as const }]
  const plans = [await enginePlan(source, '1', file('1')), await enginePlan(source, '2', file('2'))]
  await install(volume, plans[0] as InstallPlan)
  const script = `
    import { installPlan } from ${JSON.stringify(join(import.meta.dirname, 'install.ts'))}
    import { volumePaths } from ${JSON.stringify(join(import.meta.dirname, '../volume.ts'))}
    const plans = ${JSON.stringify(plans)}
    console.log('ready')
    for (let turn = 1; ; turn++) {
      await installPlan({ paths: volumePaths(${JSON.stringify(volume)}), plan: plans[turn % 2], gameUser: null, maxBytes: 1e9, onProgress() {} })
    }`
  for (const delay of random) {
    const child = spawn(process.execPath, ['--no-warnings', '--input-type=module', '-e', script])
    const gone = new Promise((done) => child.once('exit', done))
    await new Promise((done) => child.stdout.once('data', done))
    await new Promise((done) => setTimeout(done, delay))
    child.kill('SIGKILL')
    await gone
    const record = finishInstall(paths, null)
    const version = record?.plan.hash === plans[0]!.hash ? '1' : '2'
    expect(record).toMatchObject({ configured: true, plan: { hash: plans[Number(version) - 1]!.hash } })
    const folder = packageFolder(paths, record!.plan.packages[0] as Manifest)
    expect(readFileSync(join(folder, 'game.mjs'), 'utf8')).toBe(`// ${version}`)
    expect(readFileSync(join(folder, `lib/${version}.txt`), 'utf8')).toBe(version)
    expect(readFileSync(join(volume, 'eula.txt'), 'utf8')).toBe(version)
  }
})

test('broken transfers are tried again, refusals are not', async () => {
  const source = await openSource()
  const target = join(tempFolder(), 'file')
  const file = source.serve('/file', randomBytes(100_000))
  const download = (changes = {}) =>
    downloadFile({ file: { ...file, ...changes }, target, onProgress: () => {}, retryDelaysMs: [1, 1, 1] })
  source.failures.push('status', 'cut', 'flip')
  await download()
  expect(source.requests).toHaveLength(4)
  source.requests.length = 0
  await expect(download({ url: `${source.origin}/missing` })).rejects.toBeInstanceOf(FinalDownloadError)
  await expect(download({ size: 10 })).rejects.toThrow('larger than the manifest says')
  await expect(download({ url: 'file:///etc/passwd' })).rejects.toBeInstanceOf(FinalDownloadError)
  expect(source.requests).toHaveLength(2)
})

test('redirects are followed, not for ever', async () => {
  const data = Buffer.from('content')
  const origin = await serveHttp((request, response) => {
    if (request.url === '/file') return response.end(data)
    const location = request.url === '/loop' ? '/loop' : '/file'
    return response.writeHead(302, { location }).end()
  })
  const target = join(tempFolder(), 'file')
  const file = { name: 'f', hash: sha256(data), size: null, unpack: 'none' as const, strip: 0 }
  const options = { target, onProgress: () => {}, retryDelaysMs: [] }
  await downloadFile({ file: { ...file, url: `${origin}/moved` }, ...options })
  expect(readFileSync(target, 'utf8')).toBe('content')
  await expect(downloadFile({ file: { ...file, url: `${origin}/loop` }, ...options })).rejects.toThrow(
    'too many redirects',
  )
})

type HostileEntry = { path: string; type?: string; linkpath?: string; size?: number; content?: string }

function hostileArchive(entries: HostileEntry[]): Buffer {
  const blocks = entries.flatMap(({ path, type = 'File', linkpath = '', content = '', size = content.length }) => {
    const header = new Header({ path, type: type as 'File', linkpath, size, mode: 0o644, mtime: new Date(0) })
    const block = Buffer.alloc(512)
    header.encode(block, 0)
    return [block, Buffer.from(content.padEnd(Math.ceil(content.length / 512) * 512, '\0'))]
  })
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]))
}

test.each<[string, HostileEntry[]]>([
  ['parent path', [{ path: '../evil', content: 'x' }]],
  ['parent path inside', [{ path: 'a/../../evil', content: 'x' }]],
  ['absolute path', [{ path: '/tmp/evil', content: 'x' }]],
  ['absolute symlink', [{ path: 'link', type: 'SymbolicLink', linkpath: '/etc' }]],
  ['symlink out', [{ path: 'a/link', type: 'SymbolicLink', linkpath: '../../etc' }]],
  ['symlink out by detour', [{ path: 'link', type: 'SymbolicLink', linkpath: 'a/../../b' }]],
  ['hard link out', [{ path: 'link', type: 'Link', linkpath: '../../etc/passwd' }]],
  ['hard link absolute', [{ path: 'link', type: 'Link', linkpath: '/etc/passwd' }]],
  ['device', [{ path: 'dev', type: 'CharacterDevice' }]],
  ['block device', [{ path: 'dev', type: 'BlockDevice' }]],
  ['pipe', [{ path: 'pipe', type: 'FIFO' }]],
  ['too large', [{ path: 'big', size: 2e6, content: 'x'.repeat(2e6) }]],
  ['too many', Array.from({ length: 1000 }, (_, index) => ({ path: `d${index}`, type: 'Directory' }))],
  ['empty', []],
])('hostile archive: %s', async (_name, entries) => {
  const folder = tempFolder()
  const archive = join(folder, 'archive')
  writeFileSync(archive, hostileArchive([...(entries.length > 0 ? [{ path: 'good', content: 'x' }] : []), ...entries]))
  const target = join(folder, 'a/b/target')
  mkdirSync(target, { recursive: true })
  await expect(
    unpackArchive({ archive, folder: target, strip: 0, maxBytes: 1e6, maxEntries: 900 }),
  ).rejects.toBeInstanceOf(ArchiveError)
  expect(readdirSync(folder).sort()).toEqual(['a', 'archive'])
  expect(readdirSync(join(folder, 'a'))).toEqual(['b'])
  expect(readdirSync(join(folder, 'a/b'))).toEqual(['target'])
})

test('an archive that is none, or is cut short, is refused', async () => {
  const folder = tempFolder()
  const archive = join(folder, 'archive')
  const target = join(folder, 'target')
  mkdirSync(target)
  const unpack = () => unpackArchive({ archive, folder: target, strip: 0, maxBytes: 1e6 })
  writeFileSync(archive, 'no archive')
  await expect(unpack()).rejects.toBeInstanceOf(ArchiveError)
  writeFileSync(
    archive,
    hostileArchive([{ path: 'file', content: randomBytes(9000).toString('hex') }]).subarray(0, 5000),
  )
  await expect(unpack()).rejects.toBeInstanceOf(ArchiveError)
})

test('inner links are kept, leading folders dropped', async () => {
  const folder = tempFolder()
  const archive = join(folder, 'archive')
  const target = join(folder, 'target')
  mkdirSync(target)
  writeFileSync(
    archive,
    hostileArchive([
      { path: 'jdk-25/lib/real', content: 'real' },
      { path: 'jdk-25/bin/link', type: 'SymbolicLink', linkpath: '../lib/real' },
    ]),
  )
  await unpackArchive({ archive, folder: target, strip: 1, maxBytes: 1e6 })
  expect(readFileSync(join(target, 'bin/link'), 'utf8')).toBe('real')
})

test('a plan that leaves the volume is refused', async () => {
  const source = await openSource()
  const plan = await enginePlan(source, '1')
  expect(findPlanFault(plan)).toBeUndefined()
  const [manifest] = plan.packages as [Manifest]
  const withFile = (changes: object) => ({
    ...plan,
    packages: [{ ...manifest, downloadFiles: [{ ...manifest.downloadFiles[0], ...changes }] }],
  })
  expect(findPlanFault({ ...plan, packages: [{ ...manifest, subdir: '../x' }] })).toBe('subdir')
  expect(findPlanFault({ ...plan, packages: [{ ...manifest, subdir: '.wakestone' }] })).toBe('subdir')
  expect(findPlanFault(withFile({ name: '../../x' }))).toBe('file name')
  expect(findPlanFault(withFile({ hash: 'md5:00' }))).toBe('file hash')
  expect(findPlanFault({ ...plan, files: [{ path: '/etc/passwd', content: '', mode: 'replace' }] })).toBe('file path')
  expect(findPlanFault({ ...plan, files: [{ path: '.wakestone/x', content: '', mode: 'replace' }] })).toBe('file path')
  for (const odd of [undefined, null, 7, [], {}, { hash: 'x' }]) expect(findPlanFault(odd)).toBeDefined()
})

test('properties: keys of the owner win', () => {
  expect(mergeProperties('', 'a=1')).toBe('a=1\n')
  expect(mergeProperties('a = 2\r\nc:3\n', 'a=1\n#x\nb=1\nc=4\n')).toBe('a = 2\r\nc:3\nb=1\n')
  expect(mergeProperties('#a=2\n', 'a=1')).toBe('#a=2\na=1\n')
})
