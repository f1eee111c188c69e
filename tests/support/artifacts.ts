import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { buildFlyingSquidArtifact } from '../../engines/flying-squid/src/build.ts'
import { buildSerenityArtifact } from '../../engines/serenity/src/build.ts'

const cache = join(import.meta.dirname, '../../node_modules/.cache/wakestone/artifacts')

/** Lays the engine packages that need no internet into an installation; built once for all tests. */
export async function provideArtifacts(dataDir: string): Promise<{ engineVersion: string; bedrockVersion: string }> {
  const { manifest } = await buildFlyingSquidArtifact({ outDir: cache })
  const bedrock = await buildSerenityArtifact({ outDir: cache })
  cpSync(cache, join(dataDir, 'artifacts'), { recursive: true, filter: (path) => !path.includes('staging-') })
  return { engineVersion: manifest.contentVersion, bedrockVersion: bedrock.manifest.contentVersion }
}
