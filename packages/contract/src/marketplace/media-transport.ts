import { z } from 'zod'
import type { TransportSpec } from '../transport.ts'

/** What a project shows is called so. */
export const mediaNameSchema = z.string().regex(/^(icon|thumbnail|image|video)-[0-9a-f]{32}\.(webp|webm)$/)

/** A name is made of what it shows, so it may be kept for ever. */
export const projectMedia = {
  kind: 'bytes',
  method: 'GET',
  path: '/marketplace-media/:projectId/:name',
  tag: 'Marketplace',
  summary: 'Get an image or video of a project',
  access: { kind: 'public' },
  params: z.object({ projectId: z.string().max(40), name: z.string().max(80) }),
  type: 'image/webp',
  errors: ['resource_not_found'],
} as const satisfies TransportSpec
