/**
 * Makes the flying-squid package: an archive of the bundled server, and its manifest.
 *
 *   node engines/flying-squid/src/build.ts --out DIR
 */
import { type Artifact, type EnginePackage, layArtifact, runBuild } from '@wakestone/engine-packing/artifact'
import { bundleFlyingSquid, MINECRAFT_VERSION } from './bundle.ts'

const flyingSquid: EnginePackage = {
  name: 'flying-squid',
  minecraft: MINECRAFT_VERSION,
  game: 'minecraft-java',
  library: 'flying-squid',
  madeWith: ['minecraft-data', 'minecraft-protocol'],
  sources: import.meta.url,
  bundle: bundleFlyingSquid,
}

export const buildFlyingSquidArtifact = (options: { outDir: string }): Promise<Artifact> =>
  layArtifact(flyingSquid, options)

if (import.meta.main) await runBuild(flyingSquid)
