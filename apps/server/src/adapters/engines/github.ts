/** Releases of a project on GitHub, by its API. */
import { z } from 'zod'
import type { Digests } from './digests.ts'
import { checkAddress, fetchJson, type Cache, type Upstream } from './upstream.ts'

const assetSchema = z.object({
  id: z.number().int(),
  name: z.string().max(200),
  size: z.number().int().positive(),
  browser_download_url: z.url().max(500),
  /** Since 2025; what was sent before has none. */
  digest: z.string().max(200).nullish(),
})
const releaseSchema = z.object({
  tag_name: z.string().max(128),
  draft: z.boolean(),
  prerelease: z.boolean(),
  assets: z.array(assetSchema).max(1000),
})
type Asset = z.infer<typeof assetSchema>
export type GitHubRelease = z.infer<typeof releaseSchema>

/** Newest first; those before are offered no more. */
const MOST = 50

export type GitHubReleases = {
  /** @param repository `pmmp/PocketMine-MP` */
  list(repository: string): Promise<GitHubRelease[]>
  /** A file as plans name it. */
  fileOf(asset: Asset): Promise<{ url: string; hash: string; size: number }>
  /** A small document among the files of a release. @returns null where it is not there */
  read<Schema extends z.ZodType>(asset: Asset, schema: Schema): Promise<z.infer<Schema> | null>
}

type Options = { apiUrl: string; upstream: Upstream; cache: Cache; digests: Digests }

export function createGitHubReleases({ apiUrl, upstream, cache, digests }: Options): GitHubReleases {
  const base = apiUrl.replace(/\/$/, '')
  return {
    async list(repository) {
      const url = `${base}/repos/${repository}/releases?per_page=${MOST}`
      const found = await cache.get(url, () => fetchJson(upstream, { url, schema: z.array(releaseSchema).max(MOST) }))
      return (found ?? []).filter(({ draft }) => !draft)
    },
    async fileOf({ id, name, size, browser_download_url: address, digest }) {
      const url = checkAddress(address, apiUrl)
      if (digest != null && /^sha256:[0-9a-f]{64}$/.test(digest)) return { url, hash: digest, size }
      const known = await digests.of({ name: `github-${id}-${name}`, url })
      return { url, hash: `sha256:${known.sha256}`, size: known.size }
    },
    read({ browser_download_url: address }, schema) {
      const url = checkAddress(address, apiUrl)
      return cache.get(url, () => fetchJson(upstream, { url, schema, isElsewhere: true }))
    },
  }
}

export const findAsset = ({ assets }: GitHubRelease, name: string | RegExp): Asset | undefined =>
  assets.find((asset) => (typeof name === 'string' ? asset.name === name : name.test(asset.name)))
