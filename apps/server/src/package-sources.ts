/** Every source of packages, as it is opened by the API and by workers. */
import { join } from 'node:path'
import type { Manifest } from '@wakestone/packager/manifest'
import { createArtifactSource } from '#src/adapters/packages/artifact-index.ts'
import { createForeignSources } from '#src/adapters/packages/registry.ts'
import { throughUrl } from '#src/adapters/packages/signed-files.ts'
import type { GivenPack, Source } from '#src/adapters/packages/source.ts'
import type { Context } from '#src/context.ts'
import { createMarketplaceSource } from '#src/features/marketplace/catalogue/service.ts'

/** @param artifactUrl where supervisors reach our artifacts, without a trailing slash */
export function createSources(
  context: Pick<Context, 'db' | 'settings' | 'logger'>,
  artifactUrl: string,
): readonly Source[] {
  const { settings } = context
  return [
    createMarketplaceSource(context, artifactUrl),
    createArtifactSource({ artifactDir: join(settings.DATA_DIR, 'artifacts'), artifactUrl }),
    ...createForeignSources(context).map((source) => passThrough(source, artifactUrl)),
  ]
}

/** Files that only we may fetch are fetched from us. */
function passThrough(source: Source, artifactUrl: string): Source {
  const { through } = source
  if (through === undefined) return source
  const passed = (manifest: Manifest): Manifest => ({
    ...manifest,
    downloadFiles: manifest.downloadFiles.map((file) =>
      through.covers(file.url) ? { ...file, url: throughUrl(artifactUrl, { source: source.id, url: file.url }) } : file,
    ),
  })
  return {
    ...source,
    async versions(name, context, signal) {
      const candidates = await source.versions(name, context, signal)
      return candidates.map((candidate) => ({ ...candidate, manifest: passed(candidate.manifest) }))
    },
    ...(source.sealPack && {
      async sealPack(pack: GivenPack, signal: AbortSignal) {
        const { manifest, title } = await source.sealPack!(pack, signal)
        return { manifest: passed(manifest), title }
      },
    }),
  }
}
