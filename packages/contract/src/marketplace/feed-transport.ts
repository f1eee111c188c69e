import { z } from 'zod'
import type { TransportSpec } from '../transport.ts'

export const releaseFeed = {
  kind: 'bytes',
  method: 'GET',
  path: '/api/v1/marketplace/projects/:slug/releases.atom',
  tag: 'Marketplace',
  summary: 'Releases of a public project as an Atom feed, newest first',
  access: { kind: 'public' },
  params: z.object({ slug: z.string().max(100) }),
  type: 'application/atom+xml',
  errors: ['resource_not_found'],
} as const satisfies TransportSpec
