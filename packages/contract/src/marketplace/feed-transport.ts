import { z } from 'zod'
import { idSchema } from '../primitives.ts'
import type { TransportSpec } from '../transport.ts'

export const releaseFeed = {
  kind: 'bytes',
  method: 'GET',
  path: '/api/v1/marketplace/projects/:slug/releases.atom',
  tag: 'Marketplace',
  summary: 'Get the releases of a public project as an Atom feed, newest first',
  access: { kind: 'public' },
  params: z.object({ slug: z.string().max(100) }),
  type: 'application/atom+xml',
  errors: ['resource_not_found'],
} as const satisfies TransportSpec

export const releaseRss = {
  ...releaseFeed,
  path: '/api/v1/marketplace/projects/:slug/releases.rss',
  summary: 'Get the releases of a public project as an RSS 2.0 feed, newest first',
  type: 'application/rss+xml',
} as const satisfies TransportSpec

export const authorRss = {
  ...releaseFeed,
  path: '/api/v1/marketplace/authors/:userId/releases.rss',
  summary: 'Get the releases of the public projects that a user works on as an RSS 2.0 feed, newest first',
  params: z.object({ userId: idSchema }),
  type: 'application/rss+xml',
} as const satisfies TransportSpec

/** For editors of those who write manifests by hand. Its address stays as it is. */
export const manifestJsonSchema = {
  kind: 'bytes',
  method: 'GET',
  path: '/api/v1/marketplace/manifest.schema.json',
  tag: 'Marketplace',
  summary: 'Get the JSON Schema of release manifests',
  access: { kind: 'public' },
  params: z.object({}),
  type: 'application/schema+json',
  errors: [],
} as const satisfies TransportSpec
