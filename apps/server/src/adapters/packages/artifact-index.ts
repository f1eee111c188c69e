/** Packages that the operator has laid beside our own engines: those that `DATA_DIR/artifacts/index.json` names. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { manifestSchema } from '@wakestone/packager/manifest'
import { z } from 'zod'
import type { Source } from './source.ts'

const indexSchema = z.object({ artifacts: z.array(z.object({ manifest: manifestSchema })) })

type Options = {
  artifactDir: string
  /** Where supervisors reach that folder, without a trailing slash. */
  artifactUrl: string
}

/** Engines and runtimes are no packages to choose: a server has those that its engine asks for. */
const isGround = (kind: string | undefined) => kind === 'engine' || kind === 'runtime'

export function createArtifactSource({ artifactDir, artifactUrl }: Options): Source {
  async function readIndex() {
    const text = await readFile(join(artifactDir, 'index.json'), 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '{"artifacts":[]}'
      throw error
    })
    return indexSchema.parse(JSON.parse(text)).artifacts.map(({ manifest }) => manifest)
  }

  return {
    id: 'wakestone',
    // They are named by who knows them, and shown nowhere.
    search: async () => ({ hits: [], hasMore: false, total: 0 }),
    project: async () => undefined,
    async versions(name) {
      const all = await readIndex()
      return all
        .filter((manifest) => !isGround(manifest.labels.kind))
        .filter((manifest) => manifest.name === name || manifest.provides.some((offer) => offer.name === name))
        .map((manifest) => ({
          manifest: {
            ...manifest,
            downloadFiles: manifest.downloadFiles.map((file) => ({ ...file, url: `${artifactUrl}/${file.url}` })),
          },
          channel: manifest.labels.channel === 'latest' ? 'latest' : 'stable',
          withdrawn: false,
        }))
    },
  }
}
