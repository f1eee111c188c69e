/** Files of packages on their way to a supervisor: an address is signed for one file and one server, and ends. */
import { z } from 'zod'
import type { TransportSpec } from '../transport.ts'

const part = z.string().max(200).catch('')
const signed = {
  kind: 'bytes',
  method: 'GET',
  tag: 'Packages',
  access: { kind: 'ticket' },
  query: z.object({ until: part, server: part, signature: part }),
  type: 'application/octet-stream',
} as const

export const packageFile = {
  ...signed,
  path: '/artifacts/packages/:sha256',
  summary: 'A file of a release of the marketplace, for the server that it is signed for',
  params: z.object({ sha256: z.string().max(100) }),
  errors: ['transfer_ended', 'resource_not_found'],
} as const satisfies TransportSpec
export const packFile = {
  ...signed,
  path: '/artifacts/packs/:sha256',
  summary: 'A pack that somebody has brought, for the server that it is signed for',
  params: z.object({ sha256: z.string().max(100) }),
  errors: ['transfer_ended', 'resource_not_found'],
} as const satisfies TransportSpec
export const packageFileThrough = {
  ...signed,
  path: '/artifacts/through/:source/:address',
  summary: 'A file that its source gives to this installation alone, passed on to the server that it is signed for',
  params: z.object({ source: z.string().max(20), address: z.string().max(4000) }),
  errors: ['transfer_ended', 'resource_not_found', 'package_source_unavailable'],
} as const satisfies TransportSpec
