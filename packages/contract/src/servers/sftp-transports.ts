/** What the gateway asks when somebody comes over SFTP. Its word counts for what it has seen: address, key, password. */
import { z } from 'zod'
import { idSchema } from '../primitives.ts'
import type { TransportSpec } from '../transport.ts'
import { sftpChangeSchema, sftpProofSchema, sftpSessionSchema } from './remotefs.ts'

const ofGateway = { tag: 'Files', access: { kind: 'gateway' }, method: 'POST', type: 'application/json' } as const
const address = z.string().min(1).max(100)

export const gatewaySftp = {
  ...ofGateway,
  kind: 'call',
  path: '/internal/gateway/sftp',
  summary: 'Authenticate an SFTP user. Returns the user and server, or `unauthorized` whatever is wrong.',
  body: z.object({
    username: z.string().max(200),
    address,
    proof: z.union([
      z.object({ password: z.string().max(1024) }),
      /** Base64, as RFC 4253 writes it. `isProven`: it has signed; else it is only offered. */
      z.object({ key: z.string().max(4096), isProven: z.boolean() }),
    ]),
  }),
  answer: sftpSessionSchema,
  errors: ['unauthorized', 'too_many_requests'],
} as const satisfies TransportSpec

export const gatewaySftpOpen = {
  ...ofGateway,
  kind: 'call',
  path: '/internal/gateway/sftp/open',
  summary: 'Make a server’s files available to an SFTP session. Returns where they are and a ticket for them.',
  body: sftpSessionSchema,
  answer: z.object({
    endpoint: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('unix'), path: z.string() }),
      z.object({ kind: z.literal('http'), url: z.string() }),
      /** Through an agent (`tunnel.ts` of the protocol). */
      z.object({
        kind: z.literal('agent'),
        agent: z.object({ host: z.string(), port: z.int(), certificate: z.string() }),
        serverId: z.uuid(),
        to: z.literal('files'),
      }),
    ]),
    ticket: z.string(),
    /** An operation has the files to itself, or the server stands still for its owner. */
    readOnly: z.boolean(),
  }),
  errors: ['unauthorized', 'server_has_no_files', 'server_is_preparing', 'service_unavailable'],
} as const satisfies TransportSpec

/** See `sftpWatchLine`. */
export const gatewaySftpWatch = {
  ...ofGateway,
  kind: 'stream',
  method: 'GET',
  path: '/internal/gateway/sftp/watch',
  summary: 'Stream a notice when an SFTP session must end',
  query: z.object({
    userId: idSchema,
    serverId: idSchema,
    kind: sftpProofSchema.shape.kind,
    proofId: idSchema,
    /** `1`: it writes. */
    writes: z.enum(['0', '1']).default('0'),
  }),
  type: 'application/x-ndjson',
  errors: ['unauthorized'],
} as const satisfies TransportSpec
export const gatewaySftpChanges = {
  ...ofGateway,
  kind: 'call',
  path: '/internal/gateway/sftp/changes',
  summary: 'Report file changes made in an SFTP session',
  body: z.object({ userId: idSchema, serverId: idSchema, changes: z.array(sftpChangeSchema).max(20) }),
  answer: z.object({}),
  errors: ['unauthorized'],
} as const satisfies TransportSpec
