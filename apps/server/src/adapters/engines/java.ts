/** Java runtimes: Eclipse Temurin, by Adoptium's API. */
import { DomainError } from '@wakestone/contract/errors'
import { sealManifest } from '@wakestone/packager/hash'
import type { Manifest } from '@wakestone/packager/manifest'
import { z } from 'zod'
import { checkAddress, fetchJson, type Cache, type Upstream } from './upstream.ts'

const assetsSchema = z.array(
  z.object({
    binary: z.object({
      package: z.object({
        name: z.string(),
        link: z.url(),
        size: z.number().int().positive(),
        checksum: z.string().regex(/^[0-9a-f]{64}$/),
      }),
    }),
    release_name: z.string(),
  }),
)

/** Major versions that are kept up; one between them is served by the next. */
const supported = [8, 11, 17, 21, 25]

/** `jdk`: with the compiler. */
type JavaKind = 'jre' | 'jdk'

export type JavaCatalogue = { resolveJava(major: number, kind?: JavaKind): Promise<Manifest> }

type Options = { adoptiumUrl: string; upstream: Upstream; cache: Cache; architecture?: string }

/** @param architecture of the machines that servers run on, in Node's names */
export function createJavaCatalogue({
  adoptiumUrl,
  upstream,
  cache,
  architecture = process.arch,
}: Options): JavaCatalogue {
  const base = adoptiumUrl.replace(/\/$/, '')
  const machine = architecture === 'arm64' ? 'aarch64' : architecture

  return {
    async resolveJava(wanted, kind = 'jre') {
      const major = supported.find((version) => version >= wanted) ?? wanted
      const query = `os=linux&architecture=${machine}&image_type=${kind}&vendor=eclipse`
      const url = `${base}/assets/latest/${major}/hotspot?${query}`
      const assets = await cache.get(url, () => fetchJson(upstream, { url, schema: assetsSchema }))
      const asset = assets?.[0]
      if (!asset)
        throw new DomainError('engine_catalogue_unavailable', { host: new URL(url).host, reason: `no Java ${major}` })
      const file = asset.binary.package
      return sealManifest({
        manifestVersion: 1,
        name: `temurin-${major}-${kind}`,
        packageVersion: asset.release_name,
        contentVersion: String(major),
        versionFormat: 'number',
        subdir: '.',
        depends: [],
        dependencies: [],
        provides: [{ name: 'java', version: String(major) }],
        setEnv: [],
        labels: { kind: 'runtime' },
        filesHash: null,
        downloadFiles: [
          // The archive holds one folder, named after the release.
          {
            name: file.name,
            url: checkAddress(file.link, adoptiumUrl),
            hash: `sha256:${file.checksum}`,
            size: file.size,
            unpack: 'tar.gz',
            strip: 1,
          },
        ],
      })
    },
  }
}
