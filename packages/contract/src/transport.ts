/** Ways through the front door that do not answer with JSON. Who may use them is said, checked and documented as of routes. */
import { z } from 'zod'
import { idSchema } from './primitives.ts'
import * as files from './servers/files-transports.ts'
import { artifactDownload, artifactUpload, artifactUploadHead } from './marketplace/releases-routes.ts'
import { authorRss, manifestJsonSchema, releaseFeed, releaseRss } from './marketplace/feed-transport.ts'
import { projectMedia } from './marketplace/media-transport.ts'
import { shopPicture } from './sales/shop-picture-transport.ts'
import { websiteImage } from './websites/image-transport.ts'
import * as support from './accounts/support-transports.ts'
import { mapTile } from './servers/mapview-transports.ts'
import { backupContent } from './servers/backups-transports.ts'
import { gatewayAntibot } from './servers/antibot-transports.ts'
import * as mysql from './servers/mysql-transports.ts'
import * as packages from './servers/packages-transports.ts'
import * as sftp from './servers/sftp-transports.ts'
import type { Access, Method, RouteSpec } from './route.ts'

export type TransportSpec = Pick<RouteSpec, 'summary' | 'tag' | 'keyScope' | 'params' | 'query' | 'errors'> & {
  /**
   * `socket`: WebSocket; `stream`: an answer that goes on until one side ends it; `bytes`: a file; `call`: JSON there and
   * back, between parts of the product.
   */
  kind: 'socket' | 'stream' | 'bytes' | 'call'
  method: Method | 'HEAD'
  /** Whole, parameters as `:name`. */
  path: `/${string}`
  /**
   * `gateway`: the players' door, by the secret that it shares with us. `mail`: the operator's mail server, by its
   * secret. `ticket`: whoever has the ticket of the path.
   */
  access: Access | { kind: 'gateway' } | { kind: 'mail' } | { kind: 'ticket' }
  /** Media type of the answer, or of a socket's frames. */
  type: string
  /** Media type of the bytes that it takes. */
  takes?: string
  /** What a `call` takes and answers; what is answered to bytes that are taken. */
  body?: z.ZodObject
  answer?: z.ZodObject
}
const defineTransport = <const Spec extends TransportSpec>(spec: Spec): Spec => spec

const server = { kind: 'server', param: 'id', capability: 'server.manage.read' } as const
const serverParams = z.object({ id: idSchema })
/** The number of the last console line that the reader has; what is no number counts as none. */
const resume = z.object({ after: z.string().optional().catch(undefined) })

export const serverConsole = defineTransport({
  kind: 'socket',
  method: 'GET',
  path: '/api/v1/servers/:id/console',
  tag: 'Servers',
  summary: 'Receive a server’s console, statistics and status live, and send commands to it',
  access: server,
  keyScope: 'access',
  params: serverParams,
  query: resume,
  type: 'application/json',
  errors: ['server_id_not_found', 'insufficient_capabilities'],
})
export const serverStream = defineTransport({
  kind: 'stream',
  method: 'GET',
  path: '/api/v1/servers/:id/stream',
  tag: 'Servers',
  summary: 'Stream what the console socket sends, as server-sent events. Resume with `Last-Event-ID` or `after`.',
  access: server,
  keyScope: 'access',
  params: serverParams,
  query: resume,
  type: 'text/event-stream',
  errors: ['server_id_not_found', 'insufficient_capabilities'],
})
export const notificationStream = defineTransport({
  kind: 'stream',
  method: 'GET',
  path: '/api/v1/notifications/stream',
  tag: 'Notifications',
  summary: 'Stream the number of unread notifications as it changes, as server-sent events',
  access: { kind: 'user' },
  type: 'text/event-stream',
  errors: [],
})
export const exportFile = defineTransport({
  kind: 'bytes',
  method: 'GET',
  path: '/api/v1/exports/:code',
  tag: 'Account',
  summary: 'Download an export of a user’s data. The link alone gives access.',
  access: { kind: 'public' },
  params: z.object({ code: z.string().max(200) }),
  type: 'application/zip',
  errors: ['no_code'],
})
export const artifact = defineTransport({
  kind: 'bytes',
  method: 'GET',
  path: '/artifacts/:file',
  tag: 'Servers',
  summary: 'Download a package built by this installation, by its content hash',
  access: { kind: 'public' },
  params: z.object({ file: z.string().max(200) }),
  type: 'application/gzip',
  errors: ['resource_not_found'],
})
export const gatewayRoutes = defineTransport({
  kind: 'stream',
  method: 'GET',
  path: '/internal/gateway/routes',
  tag: 'Servers',
  summary: 'Stream the gateway’s routes for players: all of them first, then each change',
  access: { kind: 'gateway' },
  type: 'application/x-ndjson',
  errors: ['unauthorized'],
})
export const gatewayWake = defineTransport({
  kind: 'call',
  method: 'POST',
  path: '/internal/gateway/wake',
  tag: 'Servers',
  summary: 'Wake a sleeping server for a player who is joining, if they may come in',
  access: { kind: 'gateway' },
  type: 'application/json',
  body: z.object({
    serverId: idSchema,
    /** As the player claims it; null where the game asks for it only when it is up. */
    name: z.string().min(1).max(40).nullable(),
    address: z.string().min(1).max(100),
  }),
  /** Until players can join, by the server's own past starts; null: nobody knows. */
  answer: z.object({ expectedSeconds: z.number().min(0).nullable() }),
  errors: [
    'unauthorized',
    'server_id_not_found',
    'server_is_expired',
    'server_is_disabled',
    'server_is_preparing',
    'server_is_not_running',
    'free_servers_not_available',
    'free_hours_used_up',
    'access_denied',
    'too_many_requests',
  ],
})

export const allTransports = {
  serverConsole,
  serverStream,
  notificationStream,
  exportFile,
  artifact,
  gatewayRoutes,
  gatewayWake,
  gatewayAntibot,
  ...files,
  backupContent,
  ...mysql,
  ...sftp,
  ...packages,
  ...support,
  mapTile,
  projectMedia,
  websiteImage,
  shopPicture,
  releaseFeed,
  releaseRss,
  authorRss,
  manifestJsonSchema,
  artifactDownload,
  artifactUploadHead,
  artifactUpload,
} as const satisfies Record<string, TransportSpec>
