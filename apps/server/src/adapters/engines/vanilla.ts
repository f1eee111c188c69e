/** Mojang's own server. */
import { DomainError } from '@wakestone/contract/errors'
import type { EngineAdapter } from './engine.ts'
import { sealEngine } from './engine-manifest.ts'
import { jarLaunch } from './jar-launch.ts'
import type { MojangReleases } from './mojang.ts'

export function createVanillaAdapter({ mojang }: { mojang: MojangReleases }): EngineAdapter {
  return {
    id: 'vanilla',
    name: 'Vanilla',
    listVersions: () => mojang.list(),
    async resolveBuild(version) {
      const server = await mojang.findServer(version)
      if (!server) throw new DomainError('engine_version_not_found', { engine: 'vanilla', version })
      const { java, ...file } = server
      const manifest = sealEngine({
        id: 'vanilla',
        version,
        minecraft: version,
        game: 'minecraft-java',
        format: 'minecraft',
        java,
        files: [{ name: 'server.jar', ...file }],
      })
      return { manifest, java, ...jarLaunch({ minecraft: version, java, jar: '{DIR:vanilla}/server.jar' }) }
    },
  }
}
