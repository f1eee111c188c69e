/** flying-squid: needs no download from elsewhere, the artifact is made at set-up and served by ourselves. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DomainError } from '@wakestone/contract/errors'
import { manifestSchema, type Manifest } from '@wakestone/packager/manifest'
import { z } from 'zod'
import type { EngineAdapter } from './engine.ts'

const indexSchema = z.object({
  artifacts: z.array(z.object({ name: z.string(), file: z.string(), manifest: manifestSchema })),
})

/**
 * @param artifactDir folder that `engines/flying-squid/src/build.ts` has filled
 * @param artifactUrl where supervisors reach that folder, without a trailing slash
 */
export function createFlyingSquidAdapter({
  artifactDir,
  artifactUrl,
}: {
  artifactDir: string
  artifactUrl: string
}): EngineAdapter {
  async function readManifest(): Promise<Manifest | null> {
    const text = await readFile(join(artifactDir, 'index.json'), 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null
      throw error
    })
    if (text === null) return null
    const found = indexSchema.parse(JSON.parse(text)).artifacts.find(({ name }) => name === 'flying-squid')
    if (!found) return null
    const downloadFiles = found.manifest.downloadFiles.map((file) => ({ ...file, url: `${artifactUrl}/${file.url}` }))
    return { ...found.manifest, downloadFiles }
  }

  return {
    id: 'flying-squid',
    name: 'flying-squid',
    async listVersions() {
      const manifest = await readManifest()
      if (!manifest) return null
      return { latest: manifest.contentVersion, versions: [{ id: manifest.contentVersion, type: 'release' }] }
    },
    async resolveBuild(version) {
      const manifest = await readManifest()
      if (manifest?.contentVersion !== version)
        throw new DomainError('engine_version_not_found', { engine: 'flying-squid', version })
      return {
        manifest,
        java: null,
        files: [],
        launch: {
          command: [
            '{NODE}',
            '--no-deprecation',
            '--max-semi-space-size=2',
            '--max-old-space-size={HEAP_MB}',
            '{DIR:flying-squid}/server.js',
            '--port',
            '{PORT}',
            '--host',
            '127.0.0.1',
          ],
          env: {},
          stopCommand: 'stop',
          flush: { command: 'save-all flush', answer: ': Saved the game' },
        },
      }
    },
  }
}
