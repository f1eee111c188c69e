/** Engines that need no download from elsewhere: their packages are made at set-up and served by ourselves. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DomainError } from '@wakestone/contract/errors'
import { type Launch, type Manifest, manifestSchema } from '@wakestone/packager/manifest'
import { z } from 'zod'
import type { Engine, EngineAdapter } from './engine.ts'

const indexSchema = z.object({
  artifacts: z.array(z.object({ name: z.string(), file: z.string(), manifest: manifestSchema })),
})

export type OwnPackages = {
  /** Folder that the `build.ts` of each in `engines/` has filled. */
  artifactDir: string
  /** Where supervisors reach that folder, without a trailing slash. */
  artifactUrl: string
}

/** An engine whose package has its id as name. */
export function createOwnPackageAdapter(
  { id, name, launch }: { id: Engine['id']; name: string; launch: Launch },
  { artifactDir, artifactUrl }: OwnPackages,
): EngineAdapter {
  async function readManifest(): Promise<Manifest | null> {
    const text = await readFile(join(artifactDir, 'index.json'), 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null
      throw error
    })
    if (text === null) return null
    const found = indexSchema.parse(JSON.parse(text)).artifacts.find((artifact) => artifact.name === id)
    if (!found) return null
    const downloadFiles = found.manifest.downloadFiles.map((file) => ({ ...file, url: `${artifactUrl}/${file.url}` }))
    return { ...found.manifest, downloadFiles }
  }

  return {
    id,
    name,
    async listVersions() {
      const manifest = await readManifest()
      if (!manifest) return null
      return { latest: manifest.contentVersion, versions: [{ id: manifest.contentVersion, type: 'release' }] }
    },
    async resolveBuild(version) {
      const manifest = await readManifest()
      if (manifest?.contentVersion !== version)
        throw new DomainError('engine_version_not_found', { engine: id, version })
      return { manifest, java: null, files: [], launch }
    },
  }
}
