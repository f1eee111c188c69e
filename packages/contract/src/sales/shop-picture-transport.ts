import { z } from 'zod'
import type { TransportSpec } from '../transport.ts'

/** A name is made of what it shows. */
export const shopPicture = {
  kind: 'bytes',
  method: 'GET',
  path: '/shop-pictures/:serverId/:name',
  tag: 'Shop',
  summary: 'Get a picture of a server’s shop',
  access: { kind: 'public' },
  params: z.object({ serverId: z.string().max(40), name: z.string().max(80) }),
  type: 'image/webp',
  errors: ['resource_not_found'],
} as const satisfies TransportSpec

export const shopPictureUrl = (serverId: string, name: string): string =>
  shopPicture.path.replace(':serverId', serverId).replace(':name', name)
