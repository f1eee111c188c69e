import { z } from 'zod'
import type { TransportSpec } from '../transport.ts'

/** For the editor; visitors of the website have it from the website's own host. A name is made of what it shows. */
export const websiteImage = {
  kind: 'bytes',
  method: 'GET',
  path: '/website-images/:craftumId/:name',
  tag: 'Websites',
  summary: 'Get an image of a website',
  access: { kind: 'public' },
  params: z.object({ craftumId: z.string().max(40), name: z.string().max(80) }),
  type: 'image/webp',
  errors: ['resource_not_found'],
} as const satisfies TransportSpec
