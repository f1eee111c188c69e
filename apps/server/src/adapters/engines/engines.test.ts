/** The catalogue against simulated upstreams. */
import { createHash } from 'node:crypto'
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DomainError } from '@wakestone/contract/errors'
import { gamesSchema } from '@wakestone/contract/servers/server'
import { readSettings } from '@wakestone/kit/settings'
import { hashPlan, sealManifest } from '@wakestone/packager/hash'
import { gameVersionOf } from '@wakestone/packager/game-version'
import { installPlanSchema } from '@wakestone/packager/manifest'
import { createMatcher } from '@wakestone/packager/requirements'
import { startUpstreams, type Upstreams } from '@wakestone/simulators/upstreams'
import * as fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createEngineCatalogue, type EngineCatalogue } from './catalogue.ts'
import { formatProperties } from '@wakestone/minecraft/properties'
import { createCache } from './upstream.ts'

let upstreams: Upstreams
let dataDir: string
let catalogue: EngineCatalogue

beforeAll(async () => {
  upstreams = await startUpstreams()
  dataDir = mkdtempSync(join(tmpdir(), 'wakestone-engines-'))
  mkdirSync(join(dataDir, 'artifacts'))
  const hash = `sha256:${'a'.repeat(64)}`
  const artifacts = [
    ['flying-squid', '1.21.4'],
    ['serenity', '1.26.20'],
  ].map(([name, contentVersion]) => {
    const manifest = sealManifest({
      manifestVersion: 1,
      name: name!,
      packageVersion: '1.12.0',
      contentVersion: contentVersion!,
      versionFormat: 'semver',
      subdir: '.',
      depends: [],
      dependencies: [],
      provides: [],
      setEnv: [],
      labels: {},
      filesHash: null,
      downloadFiles: [{ name: 'a.tar.gz', url: 'a.tar.gz', hash, size: 1, unpack: 'tar.gz', strip: 0 }],
    })
    return { name, file: 'a.tar.gz', manifest }
  })
  writeFileSync(join(dataDir, 'artifacts/index.json'), JSON.stringify({ artifacts }))
})
afterAll(async () => {
  await upstreams.close()
  rmSync(dataDir, { recursive: true, force: true })
})
beforeEach(() => {
  upstreams.behave()
  catalogue = open()
})

function open(change: Partial<Parameters<typeof createEngineCatalogue>[0]> = {}): EngineCatalogue {
  const settings = readSettings({ ...upstreams.settings, DATA_DIR: dataDir })
  return createEngineCatalogue({ settings, artifactUrl: 'http://127.0.0.1:3000/artifacts', timeoutMs: 3000, ...change })
}

const request = { serverName: 'Zażółć', players: 10 }

describe('the list', () => {
  test('names what can be had, newest first', async () => {
    const engines = await catalogue.listEngines()
    expect(gamesSchema.parse([{ id: 'minecraft-java', engines }])[0]!.engines).toEqual(engines)
    expect(engines.map(({ id, latest }) => [id, latest])).toEqual([
      ['flying-squid', '1.21.4'],
      ['serenity', '1.26.20'],
      ['paper', '26.1.2'],
      ['purpur', '1.21.4'],
      ['fabric', '26.2'],
      ['neoforge', '26.1.2'],
      ['forge', '1.21.4'],
      ['quilt', '26.2'],
      ['folia', '26.1.2'],
      ['spigot', '26.1.2'],
      ['vanilla', '26.2'],
      ['own-jar', '26.2'],
      ['velocity', '3.5.0-SNAPSHOT'],
      ['bedrock-dedicated', '1.26.51.1'],
      ['pocketmine', '5.28.1'],
      ['nukkit', '1.0-SNAPSHOT'],
      ['powernukkitx', '2.0.0'],
    ])
    const ids = engines.map(({ versions }) => versions.map(({ id }) => id).join(' '))
    expect(ids).toEqual([
      '1.21.4',
      '1.26.20',
      '26.2 26.1.2 1.21.4 1.20.4 1.16.5',
      '1.21.4 1.20.4',
      '26.2 1.21.4 1.20.4',
      '26.1.2 1.21.4 1.21.1 1.20.4',
      '1.21.4 1.20.4 1.16.5',
      '26.2 1.21.4 1.20.4',
      '26.1.2 1.21.4',
      '26.1.2 1.21.11 1.21.4 1.20.4 1.18 1.17.1 1.16.5 1.12.2 1.12.1',
      '26.2 26.1.2 1.21.11 1.21.4 1.20.4 1.18 1.17.1 1.16.5 1.12.2 1.12.1',
      '26.2 26.1.2 1.21.11 1.21.4 1.20.4 1.18 1.17.1 1.16.5 1.12.2 1.12.1',
      '3.5.0-SNAPSHOT 3.4.0-SNAPSHOT',
      '1.26.51.1',
      '5.28.2-beta1 5.28.1 5.20.0',
      '1.0-SNAPSHOT',
      '2.0.0',
    ])
  })

  test('leaves out an engine whose upstream is away, and one that was never made', async () => {
    upstreams.misbehave(/./, 'failing')
    upstreams.misbehave(/projects/, 'silent')
    const alone = open({ listPatienceMs: 100 })
    expect((await alone.listEngines()).map(({ id }) => id)).toEqual(['flying-squid', 'serenity'])
    const settings = readSettings({ ...upstreams.settings, DATA_DIR: join(dataDir, 'nowhere') })
    expect(await open({ settings, listPatienceMs: 100 }).listEngines()).toEqual([])
  })

  test('asks an upstream once, and remembers while it is away', async () => {
    const short = open({ cacheMs: 1 })
    const before = upstreams.requests.length
    const [first] = await Promise.all([short.listEngines(), short.listEngines(), short.listEngines()])
    const asked = upstreams.requests.slice(before).filter((path) => path.includes('version_manifest'))
    expect(asked).toHaveLength(1)
    upstreams.misbehave(/./, 'failing')
    expect(await short.listEngines()).toEqual(first)
  })
})

describe('plans', () => {
  test.each([
    ['vanilla', '26.2', 'temurin-25-jre'],
    ['vanilla', '1.21.4', 'temurin-21-jre'],
    ['vanilla', '1.17.1', 'temurin-17-jre'],
    ['vanilla', '1.12.2', 'temurin-8-jre'],
    ['paper', '26.1.2', 'temurin-25-jre'],
    ['paper', '1.16.5', 'temurin-8-jre'],
    ['purpur', '1.21.4', 'temurin-21-jre'],
    ['folia', '1.21.4', 'temurin-21-jre'],
  ] as const)('%s %s comes with %s', async (engine, version, java) => {
    const plan = await catalogue.resolveEngine({ engine, version, ...request })
    expect(installPlanSchema.parse(plan)).toEqual(plan)
    expect(plan.packages.map(({ name }) => name)).toEqual([java, engine])
    expect(plan.hash).toBe(hashPlan(plan))
    expect(plan.launch.command.slice(0, 3)).toEqual(['{JAVA}', '-Xms128M', '-Xmx{HEAP_MB}M'])
    expect(plan.launch.command.slice(-3)).toEqual(['--port', '{PORT}', 'nogui'])
    expect(plan.files).toContainEqual({ path: 'eula.txt', content: 'eula=true\n', mode: 'replace' })
    expect(plan.files).toContainEqual({
      path: 'server.properties',
      content: 'server-ip=127.0.0.1\nmotd=Za\\u017c\\u00f3\\u0142\\u0107\nmax-players=10\n',
      mode: 'merge-properties',
    })
    expect(await catalogue.resolveEngine({ engine, version, ...request })).toEqual(plan)
  })

  test('Paper takes the newest stable build, and an early one only where there is no other', async () => {
    const buildOf = async (version: string) =>
      (await catalogue.resolveEngine({ engine: 'paper', version, ...request })).packages[1]!
    expect(await buildOf('26.1.2')).toMatchObject({ packageVersion: '12', labels: { channel: 'stable' } })
    expect(await buildOf('26.2')).toMatchObject({ packageVersion: '4', labels: { channel: 'alpha' } })
  })

  test('Purpur takes the newest build that was built, and checks its MD5 before it believes in it', async () => {
    const wish = { engine: 'purpur', version: '1.21.4', ...request } as const
    expect((await catalogue.resolveEngine(wish)).packages[1]).toMatchObject({ packageVersion: '2416' })
    upstreams.misbehave(/purpur\/1.20.4\/2176\/download/, 'altered')
    await expect(open().resolveEngine({ ...wish, version: '1.20.4' })).rejects.toMatchObject({
      code: 'engine_catalogue_unavailable',
      fields: { reason: 'hash differs' },
    })
  })

  test.each([
    ['fabric', '0.16.9', 'net.fabricmc.loader.impl.launch.knot.KnotServer', '-Dfabric.gameJarPath'],
    ['quilt', '0.27.1', 'org.quiltmc.loader.impl.launch.knot.KnotServer', '-Dloader.gameJarPath'],
  ] as const)(
    '%s comes with the stable loader %s and all that it loads',
    async (engine, loader, mainClass, gameJar) => {
      const plan = await catalogue.resolveEngine({ engine, version: '1.21.4', ...request })
      const [, manifest] = plan.packages
      expect(manifest).toMatchObject({ name: engine, packageVersion: loader, contentVersion: '1.21.4' })
      const names = manifest!.downloadFiles.map(({ name }) => name)
      expect(names).toHaveLength(4)
      expect(names).toEqual(expect.arrayContaining(['server.jar', `libraries/${engine}-loader-${loader}.jar`]))
      for (const file of manifest!.downloadFiles.slice(1)) {
        const bytes = Buffer.from(await (await fetch(file.url)).arrayBuffer())
        expect(file).toMatchObject({
          hash: `sha256:${createHash('sha256').update(bytes).digest('hex')}`,
          size: bytes.length,
        })
      }
      const classPath = names.slice(1).map((name) => `{DIR:${engine}}/${name}`)
      const command = plan.launch.command.join(' ')
      expect(command).toContain(
        `${gameJar}={DIR:${engine}}/server.jar -cp ${classPath.join(':')} ${mainClass} --port {PORT}`,
      )
      // Mods name the loader by this.
      expect(manifest!.provides).toContainEqual({ name: 'fabric-loader', version: loader })
    },
  )

  test.each([
    ['forge', '1.20.4', '1.20.4-49.1.13'], // only a latest one
    ['forge', '1.16.5', '1.16.5-36.2.34'], // recommended goes before latest
    ['neoforge', '1.21.4', '21.4.156'], // a beta is newer
    ['neoforge', '1.21.1', '21.1.226'],
    ['neoforge', '26.1.2', '26.1.2.7-beta'], // there are only betas
  ] as const)('%s for %s is put together by the installer of %s', async (engine, version, build) => {
    const plan = await catalogue.resolveEngine({ engine, version, ...request })
    expect(plan.packages[1]).toMatchObject({ name: engine, packageVersion: build, contentVersion: version })
    expect(plan.packages[1]!.downloadFiles.map(({ name }) => name)).toEqual(['installer.jar'])
    expect(plan.launch.command).toContain(build)
  })

  test('a jar of the owner’s gets the Java of its game', async () => {
    const plan = await catalogue.resolveEngine({ engine: 'own-jar', version: '1.16.5', ...request })
    expect(plan.packages.map(({ name }) => name)).toEqual(['temurin-8-jre', 'own-jar'])
    expect(plan.packages[1]!.downloadFiles).toEqual([])
  })

  test('flying-squid comes from here, without Java and without Mojang’s terms', async () => {
    const plan = await catalogue.resolveEngine({ engine: 'flying-squid', version: '1.21.4', ...request })
    expect(plan.packages).toHaveLength(1)
    expect(plan.packages[0]!.downloadFiles[0]!.url).toBe('http://127.0.0.1:3000/artifacts/a.tar.gz')
    expect(plan.files.map(({ path }) => path)).toEqual(['server.properties'])
    expect(plan.launch.command).toContain('{DIR:flying-squid}/server.js')
  })

  test('Bedrock Dedicated Server comes by its maker’s list, as one digest for everybody', async () => {
    const wish = { engine: 'bedrock-dedicated', version: '1.26.51.1', serverName: 'Łąka; a\nb', players: 7 } as const
    const archives = () => upstreams.requests.filter((path) => path.endsWith('bedrock-server-1.26.51.1.zip')).length
    const before = archives()
    const [plan, same] = await Promise.all([catalogue.resolveEngine(wish), catalogue.resolveEngine(wish)])
    expect(installPlanSchema.parse(plan)).toEqual(plan)
    expect(same).toEqual(plan)
    // Another process, later: the maker has put other bytes there meanwhile.
    upstreams.misbehave(/\.zip$/, 'altered')
    expect(await open().resolveEngine(wish)).toEqual(plan)
    expect(archives() - before).toBe(1)
    const [file] = plan.packages[0]!.downloadFiles
    const bytes = Buffer.from(await (await (upstreams.behave(), fetch(file!.url))).arrayBuffer())
    expect(file).toMatchObject({ size: bytes.length, unpack: 'zip' })
    expect(file!.hash).toBe(`sha256:${createHash('sha256').update(bytes).digest('hex')}`)
    expect(plan.launch).toMatchObject({ probe: 'bedrock', stopCommand: 'stop' })
    expect(plan.files.map(({ path, mode }) => [path, mode])).toEqual([
      ['server.properties', 'merge-properties'],
      ['allowlist.json', 'create'],
      ['permissions.json', 'create'],
    ])
    expect(plan.files[0]!.content).toBe('server-name=Łąka a b\nmax-players=7\nenable-lan-visibility=false\n')
  })

  test('Velocity has its own versions, no world and no version of the game', async () => {
    const plan = await catalogue.resolveEngine({ engine: 'velocity', version: '3.5.0-SNAPSHOT', ...request })
    expect(installPlanSchema.parse(plan)).toEqual(plan)
    const [java, manifest] = plan.packages
    expect(java!.name).toBe('temurin-21-jre')
    expect(manifest).toMatchObject({ packageVersion: '3.5.0-SNAPSHOT+560', contentVersion: '3.5.0-SNAPSHOT' })
    expect(gameVersionOf(plan.packages)).toBeNull()
    expect(createMatcher({ name: 'velocity', expr: '>=3.4.0' })(manifest!)).toBe(true)
    expect(plan.files.map(({ path, mode }) => [path, mode])).toEqual([['velocity.toml', 'create']])
    const { launch } = plan
    expect(launch).toMatchObject({ stopCommand: 'shutdown' })
    expect([launch.settings, launch.flush, launch.management]).toEqual([undefined, undefined, undefined])
  })

  test('a name cannot break out of the settings of a proxy', async () => {
    const named = { engine: 'velocity', version: '3.4.0-SNAPSHOT', players: null } as const
    const plan = await catalogue.resolveEngine({ ...named, serverName: 'a"\nonline-mode = false\n<click:run>\u007f' })
    const line = plan.files[0]!.content.split('\n').filter((one) => one.startsWith('motd') || one.startsWith('online'))
    expect(line).toEqual(['motd = "a\\"\\nonline-mode = false\\n\\\\<click:run>\\u007F"', 'online-mode = true'])
  })

  test('PocketMine-MP comes with the PHP that its build asks for, and says which game it is for', async () => {
    const plan = await catalogue.resolveEngine({ engine: 'pocketmine', version: '5.28.1', ...request })
    expect(plan.packages.map(({ name }) => name)).toEqual(['pocketmine'])
    const [phar, php] = plan.packages[0]!.downloadFiles
    expect([phar!.name, php!.unpack]).toEqual(['PocketMine-MP.phar', 'tar.gz'])
    expect(php!.url).toContain('PHP-8.3-Linux')
    expect(gameVersionOf(plan.packages)).toBe('1.21.80')
    expect(plan.packages[0]!.contentVersion).toBe('5.28.1')
    for (const file of plan.packages[0]!.downloadFiles) {
      const bytes = Buffer.from(await (await fetch(file.url)).arrayBuffer())
      expect(file.hash).toBe(`sha256:${createHash('sha256').update(bytes).digest('hex')}`)
    }
    // Its maker tells no digest of this one.
    const older = await catalogue.resolveEngine({ engine: 'pocketmine', version: '5.20.0', ...request })
    expect(older.packages[0]!.downloadFiles[1]!.url).toContain('PHP-8.2-Linux')
  })

  test('Nukkit is the file of one snapshot, PowerNukkitX a release; both take their port from the settings', async () => {
    const nukkit = await catalogue.resolveEngine({ engine: 'nukkit', version: '1.0-SNAPSHOT', ...request })
    expect(nukkit.packages.map(({ name }) => name)).toEqual(['temurin-17-jre', 'nukkit'])
    expect(nukkit.packages[1]!.downloadFiles[0]!.url).toMatch(/nukkit-1\.0-20260801\.120000-1190\.jar$/)
    const other = await catalogue.resolveEngine({ engine: 'powernukkitx', version: '2.0.0', ...request })
    expect(other.packages.map(({ name }) => name)).toEqual(['temurin-21-jre', 'powernukkitx'])
    for (const { packages, launch } of [nukkit, other]) {
      expect(gameVersionOf(packages)).toBeNull()
      expect(launch).toMatchObject({ probe: 'bedrock', stopCommand: 'stop' })
    }
  })

  test('Spigot is built on the server, by a Java with a compiler; of it we hand out nothing', async () => {
    const plan = await catalogue.resolveEngine({ engine: 'spigot', version: '1.21.4', ...request })
    expect(plan.packages.map(({ name }) => name)).toEqual(['temurin-21-jdk', 'spigot'])
    expect(plan.packages[1]!.downloadFiles.map(({ name, url }) => [name, new URL(url).pathname])).toEqual([
      ['BuildTools.jar', '/jenkins/job/BuildTools/195/artifact/target/BuildTools.jar'],
    ])
  })

  test('versions that log through a vulnerable library get a guard', async () => {
    const launchOf = async (version: string) =>
      (await catalogue.resolveEngine({ engine: 'vanilla', version, ...request })).launch.command
    expect(await launchOf('1.12.2')).toContain('-Dlog4j.configurationFile=.log4j2.xml')
    expect(await launchOf('1.18')).toContain('-Dlog4j2.formatMsgNoLookups=true')
    expect((await launchOf('1.20.4')).join(' ')).not.toContain('log4j')
  })

  test.each([
    ['vanilla', '1.99'],
    ['vanilla', '1.12.1'], // no server jar
    ['vanilla', '1.8.9'], // too old to be offered
    ['vanilla', '26.3-snapshot-9'],
    ['paper', '1.21.5'],
    ['paper', '../../../v2/projects/paper'],
    ['flying-squid', '1.21.5'],
    ['purpur', '1.22-rc1'],
    ['fabric', '25w46a'],
    ['fabric', '1.12.2'],
    ['neoforge', '1.20.1'],
    ['forge', '1.8.9'], // too old to be offered
    ['folia', '1.20.4'],
    ['own-jar', '1.12.1'],
    ['bedrock-dedicated', '1.26.50.1'],
    ['serenity', '1.21.4'],
    ['velocity', '1.1.9'], // refuses players of today
    ['velocity', '1.21.4'],
    ['pocketmine', '4.24.0'],
    ['pocketmine', '5.29.0'], // a draft
    ['nukkit', '1.0'],
    ['powernukkitx', 'snapshot'], // other bytes under the same name
    ['powernukkitx', '3.0.1'],
    ['spigot', '26.2'], // not there yet
    ['spigot', '1.8.8'],
  ] as const)('%s %s is not there', async (engine, version) => {
    await expect(catalogue.resolveEngine({ engine, version, ...request })).rejects.toMatchObject({
      code: 'engine_version_not_found',
    })
  })
})

describe('an upstream that misbehaves', () => {
  test.each([
    ['vanilla', /version_manifest/, 'failing', 'status 500'],
    ['vanilla', /version_manifest/, 'missing', 'status 404'],
    ['vanilla', /version_manifest/, 'garbage', 'no JSON'],
    ['vanilla', /version_manifest/, 'truncated', 'no answer'],
    ['vanilla', /version_manifest/, 'silent', 'no answer'],
    ['vanilla', /version_manifest/, 'endless', 'answer too large'],
    ['vanilla', /packages/, 'altered', 'hash differs'],
    ['paper', /versions$/, 'failing', 'status 500'],
    ['paper', /builds$/, 'garbage', 'no JSON'],
    ['purpur', /purpur$/, 'garbage', 'no JSON'],
    ['fabric', /server\/json$/, 'garbage', 'no JSON'],
    ['neoforge', /neoforge$/, 'failing', 'status 500'],
    ['forge', /installer\.jar$/, 'truncated', 'no answer'],
    ['spigot', /versions\/1\.21\.4\.json$/, 'garbage', 'no JSON'],
    ['spigot', /lastSuccessfulBuild/, 'failing', 'status 500'],
    ['paper', /hotspot$/, 'failing', 'status 500'],
    ['paper', /hotspot$/, 'missing', 'no Java 21'],
  ] as const)('%s, %s %s: says so', async (engine, path, fault, reason) => {
    upstreams.misbehave(path, fault)
    const impatient = open({ timeoutMs: fault === 'silent' ? 200 : 5000 })
    const refusal = await impatient
      .resolveEngine({ engine, version: '1.21.4', ...request })
      .catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(DomainError)
    expect(refusal).toMatchObject({ code: 'engine_catalogue_unavailable', fields: { reason } })
  })

  test('Fill v2 is gone: an operator who still points there is told', async () => {
    const settings = readSettings({ ...upstreams.settings, PAPER_FILL_URL: `${upstreams.url}/v2`, DATA_DIR: dataDir })
    await expect(
      open({ settings }).resolveEngine({ engine: 'paper', version: '1.21.4', ...request }),
    ).rejects.toMatchObject({
      code: 'engine_catalogue_unavailable',
      fields: { reason: 'status 410' },
    })
  })
})

test('properties never break out of their line', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (motd) => {
      const text = formatProperties({ motd, next: 'x' })
      expect(text).toMatch(/^motd=[\x20-\x7e]*\nnext=x\n$/)
    }),
  )
})

test('the cache keeps a failure only for a while', async () => {
  let time = 0
  let loads = 0
  const cache = createCache({ ttlMs: 100, retryMs: 10, now: () => time })
  const fail = () => Promise.reject(new Error(`away ${(loads += 1)}`))
  await expect(cache.get('key', fail)).rejects.toThrow('away 1')
  await expect(cache.get('key', fail)).rejects.toThrow('away 1')
  time = 10
  expect(await cache.get('key', async () => 'here')).toBe('here')
  time = 110
  expect(await cache.get('key', fail)).toBe('here')
  time = 111
  expect(await cache.get('key', async () => 'too early')).toBe('here')
  time = 120
  expect(await cache.get('key', async () => 'newer')).toBe('newer')
})
