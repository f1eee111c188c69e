/** PocketMine-MP, by its releases on GitHub, with the PHP that its makers build for it. */
import { DomainError } from '@wakestone/contract/errors'
import { compareParsed, parsePlainVersion } from '@wakestone/packager/versions/version'
import { z } from 'zod'
import type { EngineAdapter } from './engine.ts'
import { sealEngine } from './engine-manifest.ts'
import { findAsset, type GitHubRelease, type GitHubReleases } from './github.ts'

const buildInfoSchema = z.object({
  php_version: z.string().regex(/^\d{1,2}\.\d{1,2}(?:\.\d{1,3})?$/),
  mcpe_version: z.string().regex(/^\d{1,4}(?:\.\d{1,4}){1,3}$/),
})

/** Extensions lie in a folder that is named by the build, and that PHP looks for where it was built. */
const START = `set -e
php="$1/bin/php7/bin/php"
[ -x "$php" ] || { echo "[PocketMine] there is no PHP in this package"; exit 1; }
extensions=$(find "$1/bin" -type d -name '*zts*' | head -n 1)
folder="$1"; shift
exec "$php" -d "extension_dir=$extensions" -d phar.readonly=1 "$folder/PocketMine-MP.phar" "$@"
`

/** Older ones speak with no player of today. */
const OLDEST = '5.0.0'
const PHAR = 'PocketMine-MP.phar'

export function createPocketMineAdapter({ github }: { github: GitHubReleases }): EngineAdapter {
  async function readReleases(): Promise<GitHubRelease[]> {
    const releases = await github.list('pmmp/PocketMine-MP')
    return releases
      .filter((release) => {
        const version = parsePlainVersion(release.tag_name)
        return version !== null && compareParsed(version, parsePlainVersion(OLDEST)!) >= 0 && findAsset(release, PHAR)
      })
      .toSorted((one, other) => compareParsed(parsePlainVersion(other.tag_name)!, parsePlainVersion(one.tag_name)!))
  }

  /** Of builds that stay what they are rather than of those that are replaced by the next. */
  async function findPhp(version: string) {
    const [major, minor] = version.split('.')
    const name = new RegExp(`^PHP-${major}\\.${minor}(?:\\.\\d+)?-Linux-x86_64-PM5\\.tar\\.gz$`)
    const releases = await github.list('pmmp/PHP-Binaries')
    const found = releases.flatMap((release) => {
      const asset = findAsset(release, name)
      return asset === undefined ? [] : [{ asset, isReplaced: release.tag_name.endsWith('latest') }]
    })
    return (found.find(({ isReplaced }) => !isReplaced) ?? found[0])?.asset
  }

  return {
    id: 'pocketmine',
    name: 'PocketMine-MP',
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
      const phar = release && findAsset(release, PHAR)
      const about = release && findAsset(release, 'build_info.json')
      const info = about && (await github.read(about, buildInfoSchema))
      if (!phar || !info) throw new DomainError('engine_version_not_found', { engine: 'pocketmine', version })
      const php = await findPhp(info.php_version)
      if (!php) throw new DomainError('engine_catalogue_unavailable', { reason: `no PHP ${info.php_version}` })
      const manifest = sealEngine({
        id: 'pocketmine',
        version,
        minecraft: info.mcpe_version,
        game: 'minecraft-bedrock',
        format: 'semver',
        labels: { php: info.php_version },
        files: [
          { name: PHAR, ...(await github.fileOf(phar)) },
          { name: 'php.tar.gz', ...(await github.fileOf(php)), unpack: 'tar.gz' },
        ],
      })
      return {
        manifest,
        java: null,
        files: [],
        settings: ({ motd, players }) => [
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
        ],
        launch: {
          command: [
            '/bin/sh',
            '-c',
            START,
            'pocketmine',
            '{DIR:pocketmine}',
            '--no-wizard',
            '--disable-ansi',
            // What is said here goes before `server.properties`.
            '--server-ip=127.0.0.1',
            '--server-port={PORT}',
            '--enable-ipv6=off',
            '--data=.',
            '--plugins=plugins',
          ],
          env: {},
          stopCommand: 'stop',
          probe: 'bedrock',
        },
      }
    },
  }
}
