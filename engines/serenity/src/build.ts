/**
 * Makes the SerenityJS package: an archive of the bundled server, and its manifest.
 *
 *   node engines/serenity/src/build.ts --out DIR
 */
import { type Artifact, type EnginePackage, layArtifact, runBuild } from '@wakestone/engine-packing/artifact'
import { bundleSerenity, MINECRAFT_VERSION } from './bundle.ts'

const serenity: EnginePackage = {
  name: 'serenity',
  minecraft: MINECRAFT_VERSION,
  game: 'minecraft-bedrock',
  library: '@serenityjs/core',
  madeWith: ['@serenityjs/protocol', '@serenityjs/data', '@serenityjs/raknet'],
  sources: import.meta.url,
  bundle: bundleSerenity,
}

export const buildSerenityArtifact = (options: { outDir: string }): Promise<Artifact> => layArtifact(serenity, options)

if (import.meta.main) await runBuild(serenity)
