/** A jar of the owner's, which they upload as `server.jar`. Which game it is for says which Java it gets. */
import { DomainError } from '@wakestone/contract/errors'
import type { EngineAdapter } from './engine.ts'
import { sealEngine } from './engine-manifest.ts'
import { javaLaunch } from './jar-launch.ts'
import type { MojangReleases } from './mojang.ts'

const START = `java="$1"; shift
[ -f server.jar ] || { echo "[Wakestone] There is no server.jar. Upload your jar under that name, then start again."; exit 1; }
exec "$java" "$@"
`

export function createOwnJarAdapter({ mojang }: { mojang: MojangReleases }): EngineAdapter {
  return {
    id: 'own-jar',
    name: 'server.jar',
    listVersions: () => mojang.list(),
    async resolveBuild(version) {
      const server = await mojang.findServer(version)
      if (!server) throw new DomainError('engine_version_not_found', { engine: 'own-jar', version })
      const { java } = server
      const manifest = sealEngine({
        id: 'own-jar',
        version,
        minecraft: version,
        game: 'minecraft-java',
        format: 'minecraft',
        java,
        files: [],
      })
      const begin = ['/bin/sh', '-c', START, 'own-jar', '{JAVA}']
      return { manifest, java, ...javaLaunch({ minecraft: version, java, begin, run: ['-jar', 'server.jar'] }) }
    },
  }
}
