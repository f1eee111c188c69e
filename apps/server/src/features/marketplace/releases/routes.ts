import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { DomainError } from '@wakestone/contract/errors'
import * as routes from '@wakestone/contract/marketplace/releases-routes'
import { releaseIdSchema } from '@wakestone/contract/marketplace/schemas'
import { idSchema } from '@wakestone/contract/primitives'
import { requireWithinLimit } from '#src/features/ground/limits/service.ts'
import { countDownload } from '#src/features/marketplace/metrics/service.ts'
import { findVisibleProject } from '#src/features/marketplace/projects/service.ts'
import { type Api, implement } from '#src/http/implement.ts'
import { implementTransport } from '#src/http/transports.ts'
import { create as contentDisposition } from 'content-disposition'
import * as service from './service.ts'
import { arrived, findDownload, openUpload, receivePart } from './transfers.ts'

const protocolVersion = { 'tus-resumable': '1.0.0', 'cache-control': 'no-store' }

export function registerReleaseRoutes(api: Api): void {
  const { context } = api
  const { db } = context
  const limit = (user: { userId: string }) => requireWithinLimit(context, 'projects', { userId: user.userId })

  implement(api, routes.createRelease, async ({ user, params, body }) => {
    await limit(user)
    return service.createRelease(context, user, { key: params.slug, body })
  })
  implement(api, routes.resumeRelease, async ({ user, params }) => {
    await limit(user)
    return service.resumeRelease(context, user, { key: params.slug, releaseId: params.releaseId })
  })
  implement(api, routes.listReleases, ({ user, params, query }) =>
    service.listReleases(db, user, { key: params.slug, ...query }),
  )
  implement(api, routes.getRelease, ({ user, params }) =>
    service.getRelease(db, user, { key: params.slug, releaseId: params.releaseId }),
  )
  implement(api, routes.changeRelease, ({ user, params, body }) =>
    service.changeRelease(context, user, { key: params.slug, releaseId: params.releaseId, body }),
  )
  implement(api, routes.deleteRelease, ({ user, params }) =>
    service.deleteRelease(context, user, { key: params.slug, releaseId: params.releaseId }),
  )

  implementTransport(api, routes.artifactDownload, async ({ params, user, request, reply }) => {
    const missing = service.releaseMissing()
    if (!releaseIdSchema.safeParse(params.releaseId).success || !idSchema.safeParse(params.artifactId).success)
      throw missing
    const found = await findVisibleProject(db, user, params.slug)
    const file = await findDownload(context, found, params)
    if (file === undefined) throw missing
    if (!found.isMember && request.method === 'GET')
      await countDownload(context, {
        projectId: found.project.id,
        ip: request.ip,
        country: user?.countryCode,
        release: file.release,
      })
    return reply
      .headers({
        'content-type': routes.artifactDownload.type,
        'content-length': file.size,
        'content-disposition': contentDisposition(file.name),
        'cache-control': 'private, no-cache',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "sandbox; default-src 'none'",
        digest: `sha-256=${Buffer.from(file.sha256, 'hex').toString('base64')}`,
      })
      .send(file.stream)
  })

  // What comes is written as it comes, whatever it is.
  void api.app.register(async (app) => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    const ofBytes = { ...api, app }
    const tell = (reply: FastifyReply, offset: number, size: number) =>
      reply.headers({ ...protocolVersion, 'upload-offset': offset, 'upload-length': size })

    implementTransport(ofBytes, routes.artifactUploadHead, async ({ params, reply }) => {
      const upload = await openUpload(api, params.ticket)
      return tell(reply, await arrived(context, upload), upload.size)
        .status(200)
        .send()
    })
    implementTransport(ofBytes, routes.artifactUpload, async ({ params, request, reply }) => {
      const upload = await openUpload(api, params.ticket)
      const at = await receivePart(context, upload, {
        offset: offsetOf(request, upload.size),
        bytes: request.body as Readable,
      })
      return tell(reply, at, upload.size).status(204).send()
    })
  })
}

function offsetOf({ headers }: FastifyRequest, size: number): number {
  if (headers['content-type'] !== 'application/offset+octet-stream')
    throw new DomainError('invalid_request', { 'Content-Type': 'application/offset+octet-stream' })
  const offset = Number(/^\d{1,15}$/.exec(String(headers['upload-offset']))?.[0] ?? Number.NaN)
  if (!Number.isSafeInteger(offset) || offset > size)
    throw new DomainError('invalid_request', { 'Upload-Offset': `0 to ${size}` })
  return offset
}
