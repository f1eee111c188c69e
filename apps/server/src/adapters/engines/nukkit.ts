/** Nukkit, by the repository of its snapshots, and PowerNukkitX, by its releases on GitHub. Neither says which game it runs. */
import { DomainError } from '@wakestone/contract/errors'
import type { Launch } from '@wakestone/packager/manifest'
import { compareParsed, parsePlainVersion } from '@wakestone/packager/versions/version'
import type { Digests } from './digests.ts'
import type { EngineAdapter, EngineBuild } from './engine.ts'
import { sealEngine } from './engine-manifest.ts'
import { findAsset, type GitHubReleases } from './github.ts'
import { collectorFlags, endFlags } from './jar-launch.ts'
import { fetchText, type Cache, type Upstream } from './upstream.ts'

/** They take their address from the settings alone. What comes after the port is the program with its arguments. */
const START = `set -e
port="$1"; shift
touch server.properties
sed -i -e '/^server-port=/d' -e '/^server-ip=/d' server.properties
[ -z "$(tail -c 1 server.properties)" ] || echo >> server.properties
printf 'server-port=%s\\nserver-ip=127.0.0.1\\n' "$port" >> server.properties
exec "$@"
`

/** Without a language the first start asks for one, and waits. */
const launchOf = ({ id, java, options }: { id: string; java: number; options: string[] }): Launch => ({
  command: [
    '/bin/sh',
    '-c',
    START,
    id,
    '{PORT}',
    '{JAVA}',
    '-Xms128M',
    '-Xmx{HEAP_MB}M',
    '-Dfile.encoding=UTF-8',
    ...collectorFlags(java),
    ...endFlags,
    ...options,
    '-jar',
    `{DIR:${id}}/server.jar`,
    '--language',
    'eng',
    '--disable-ansi',
  ],
  env: {},
  stopCommand: 'stop',
  probe: 'bedrock',
})

const settings: EngineBuild['settings'] = ({ motd, players }) => [
  {
    path: 'server.properties',
    content: [
      `motd=${motd.replace(/\s*[\r\n;]\s*/g, ' ')}`,
      ...(players === null ? [] : [`max-players=${players}`]),
      'enable-query=off',
      '',
    ].join('\n'),
    mode: 'merge-properties',
  },
]

const SNAPSHOT = '1.0-SNAPSHOT'
/** Nobody moves the program on: it is the last one for long. */
const NUKKIT_JAVA = 17

type NukkitOptions = { mavenUrl: string; upstream: Upstream; cache: Cache; digests: Digests }

export function createNukkitAdapter({ mavenUrl, upstream, cache, digests }: NukkitOptions): EngineAdapter {
  const base = `${mavenUrl.replace(/\/$/, '')}/cn/nukkit/nukkit/${SNAPSHOT}`

  /** The newest file of the snapshot, which has a name of its own and stays what it is. */
  async function readNewest(): Promise<{ build: string; file: string } | null> {
    const url = `${base}/maven-metadata.xml`
    const text = await cache.get(url, () => fetchText(upstream, url))
    const stamp = /<timestamp>(\d{8}\.\d{6})<\/timestamp>/.exec(text ?? '')?.[1]
    const build = /<buildNumber>(\d{1,9})<\/buildNumber>/.exec(text ?? '')?.[1]
    return stamp === undefined || build === undefined ? null : { build, file: `nukkit-1.0-${stamp}-${build}.jar` }
  }

  return {
    id: 'nukkit',
    name: 'Nukkit',
    async listVersions() {
      return (await readNewest()) && { latest: SNAPSHOT, versions: [{ id: SNAPSHOT, type: 'release' as const }] }
    },
    async resolveBuild(version) {
      const newest = version === SNAPSHOT ? await readNewest() : null
      if (!newest) throw new DomainError('engine_version_not_found', { engine: 'nukkit', version })
      const url = `${base}/${newest.file}`
      const { sha256, size } = await digests.of({ name: newest.file, url })
      const manifest = sealEngine({
        id: 'nukkit',
        version,
        minecraft: null,
        game: 'minecraft-bedrock',
        build: `1.0.${newest.build}`,
        format: 'semver',
        java: NUKKIT_JAVA,
        files: [{ name: 'server.jar', url, hash: `sha256:${sha256}`, size }],
      })
      const launch = launchOf({ id: 'nukkit', java: NUKKIT_JAVA, options: [] })
      return { manifest, java: NUKKIT_JAVA, files: [], settings, launch }
    },
  }
}

const PNX_JAVA = 21
/** From 3 on it has no `server.properties`, so that the port cannot be given to it as yet. */
const NEWEST_MAJOR = 2
const openings = ['java.lang', 'java.io', 'java.net'].flatMap((name) => [
  '--add-opens',
  `java.base/${name}=ALL-UNNAMED`,
])

export function createPowerNukkitXAdapter({ github }: { github: GitHubReleases }): EngineAdapter {
  /** Snapshots are replaced again and again under one tag: a plan would name bytes that are gone. */
  async function readReleases() {
    const releases = await github.list('PowerNukkitX/PowerNukkitX')
    return releases
      .filter((release) => parsePlainVersion(release.tag_name) && findAsset(release, jar))
      .filter(({ tag_name: tag }) => !/snapshot/i.test(tag) && parsePlainVersion(tag)!.numbers[0]! <= NEWEST_MAJOR)
      .toSorted((one, other) => compareParsed(parsePlainVersion(other.tag_name)!, parsePlainVersion(one.tag_name)!))
  }
  /** With all that it needs in it. */
  const jar = /^powernukkitx(?:-\d[\w.-]*)?(?:-(?:shaded|all))?\.jar$/i

  return {
    id: 'powernukkitx',
    name: 'PowerNukkitX',
    async listVersions() {
      const releases = await readReleases()
      const latest = releases.find(({ prerelease }) => !prerelease) ?? releases[0]
      return latest === undefined
        ? null
        : {
            latest: latest.tag_name,
            versions: releases.map(({ tag_name: id, prerelease }) => ({
              id,
              type: prerelease ? ('snapshot' as const) : ('release' as const),
            })),
          }
    },
    async resolveBuild(version) {
      const release = (await readReleases()).find(({ tag_name: tag }) => tag === version)
      const asset = release && findAsset(release, jar)
      if (!asset) throw new DomainError('engine_version_not_found', { engine: 'powernukkitx', version })
      const manifest = sealEngine({
        id: 'powernukkitx',
        version,
        minecraft: null,
        game: 'minecraft-bedrock',
        format: 'semver',
        java: PNX_JAVA,
        files: [{ name: 'server.jar', ...(await github.fileOf(asset)) }],
      })
      const launch = launchOf({ id: 'powernukkitx', java: PNX_JAVA, options: openings })
      return { manifest, java: PNX_JAVA, files: [], settings, launch }
    },
  }
}
