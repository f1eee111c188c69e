import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DomainError } from '@wakestone/contract/errors'
import { artifact } from '@wakestone/contract/transport'
import type { Api } from '#src/http/implement.ts'
import { implementTransport } from '#src/http/transports.ts'

const artifactName = /^[0-9a-f]{64}\.tar\.gz$/

/** Packages that this installation has built itself; a name is the hash of the content, so it may be kept for ever. */
export function registerArtifactRoutes(api: Api, folder: string): void {
  implementTransport(api, artifact, async ({ params, reply }) => {
    if (!artifactName.test(params.file)) throw new DomainError('resource_not_found')
    const path = join(folder, params.file)
    const found = await stat(path).catch(() => undefined)
    if (found === undefined || !found.isFile()) throw new DomainError('resource_not_found')
    return reply
      .headers({
        'content-type': 'application/gzip',
        'content-length': found.size,
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
      })
      .send(createReadStream(path))
  })
}
