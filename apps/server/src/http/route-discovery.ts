/**
 * Browsers know the routes of the page they are on, and ask for those that its links lead to. The answer follows from the
 * build alone, so nobody is looked up for it, no cookie is set, and anybody may keep it.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { DomainError } from '@wakestone/contract/errors'
import { publicUrl } from '@wakestone/kit/settings'
import type { Api } from './implement.ts'

const path = '/__manifest?'
/** No page of ours links to more; each is looked up among all routes. */
const mostPaths = 300

export const isRouteDiscovery = ({ url, method }: FastifyRequest): boolean => method === 'GET' && url.startsWith(path)

export async function tellRoutes(
  api: Api,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  handle: (request: Request) => Promise<Response>,
): Promise<FastifyReply> {
  const paths = new URLSearchParams(request.url.slice(path.length)).get('paths') ?? ''
  if (paths.split(',').length > mostPaths) throw new DomainError('invalid_request', { paths: 'too_many' })
  const response = await handle(new Request(publicUrl(api.context.settings) + request.url))
  return reply
    .status(response.status)
    .headers(Object.fromEntries(response.headers))
    .send(Buffer.from(await response.arrayBuffer()))
}
