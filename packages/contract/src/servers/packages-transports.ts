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
  summary: 'Download a file of a marketplace release with an address signed for one server',
  params: z.object({ sha256: z.string().max(100) }),
  errors: ['transfer_ended', 'resource_not_found'],
} as const satisfies TransportSpec
export const packFile = {
  ...signed,
  path: '/artifacts/packs/:sha256',
  summary: 'Download an uploaded modpack with an address signed for one server',
  params: z.object({ sha256: z.string().max(100) }),
  errors: ['transfer_ended', 'resource_not_found'],
} as const satisfies TransportSpec
export const packageFileThrough = {
  ...signed,
  path: '/artifacts/through/:source/:address',
  summary: 'Download a file that its source only serves to this installation, with an address signed for one server',
  params: z.object({ source: z.string().max(20), address: z.string().max(4000) }),
  errors: ['transfer_ended', 'resource_not_found', 'package_source_unavailable'],
} as const satisfies TransportSpec
