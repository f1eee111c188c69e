/** What handlers of requests are given, and answer with. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FilesTokenClaims } from '@wakestone/protocol/tokens'
import type { Jobs } from './jobs.ts'
import type { Space } from './space.ts'
import type { Trash } from './trash.ts'
import type { Uploads } from './uploads.ts'
import type { Volume } from './volume.ts'

/** What the routes work with. */
export type Parts = { serverId: string; volume: Volume; space: Space; trash: Trash; uploads: Uploads; jobs: Jobs }

export type Asked = {
  request: IncomingMessage
  response: ServerResponse
  query: URLSearchParams
  claims: FilesTokenClaims
  /** What is named by the end of the path. */
  id: string
}
export type Handler = (asked: Asked) => Promise<unknown> | unknown

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
