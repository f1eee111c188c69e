import { z } from 'zod'
import { idSchema } from '../primitives.ts'
import { defineRoute } from '../route.ts'
import type { TransportSpec } from '../transport.ts'
import {
  changeReleaseBody,
  createPackageBody,
  createReleaseBody,
  newReleaseSchema,
  releaseListSchema,
  releaseQuery,
  releaseSchema,
} from './release.ts'
import { projectKeySchema, releaseIdSchema } from './schemas.ts'

const tag = 'Marketplace'
const params = z.object({ slug: projectKeySchema })
const one = params.extend({ releaseId: releaseIdSchema })
const release = { kind: 'project', param: 'slug', right: 'release' } as const
const editScope = 'marketplace.project-manage.edit'
const readScope = 'marketplace.project-manage.read'

export const createRelease = defineRoute({
  method: 'POST',
  path: '/marketplace/projects/:slug/releases',
  tag,
  summary:
    'Create a release and get upload addresses for its files. It is published once they are uploaded and have passed all checks.',
  access: release,
  keyScope: editScope,
  stepUp: 'second-factor-or-key',
  params,
  body: createReleaseBody,
  responses: { 201: newReleaseSchema },
  errors: ['not_project_member', 'resource_already_exists', 'second_factor_missing', 'too_many_requests'],
})
export const resumeRelease = defineRoute({
  method: 'POST',
  path: '/marketplace/projects/:slug/releases/:releaseId/uploads',
  tag,
  summary: 'Get new upload addresses for the files of a release that are not uploaded yet',
  access: release,
  keyScope: editScope,
  stepUp: 'second-factor-or-key',
  params: one,
  responses: { 200: newReleaseSchema },
  errors: ['not_project_member', 'resource_not_found', 'second_factor_missing'],
})
export const listReleases = defineRoute({
  method: 'GET',
  path: '/marketplace/projects/:slug/releases',
  tag,
  summary: 'List the releases of a project. `after` is the id of the last one seen.',
  access: { kind: 'public' },
  keyScope: readScope,
  params,
  query: releaseQuery,
  responses: { 200: releaseListSchema },
  errors: ['resource_not_found'],
})
export const getRelease = defineRoute({
  method: 'GET',
  path: '/marketplace/projects/:slug/releases/:releaseId',
  tag,
  summary: 'Get a release with its files, its manifest and the results of its checks',
  access: { kind: 'public' },
  keyScope: readScope,
  params: one,
  responses: { 200: releaseSchema },
  errors: ['resource_not_found'],
})
export const changeRelease = defineRoute({
  method: 'PATCH',
  path: '/marketplace/projects/:slug/releases/:releaseId',
  tag,
  summary: 'Update a release’s notes or channel, or archive it. Its files never change.',
  access: release,
  keyScope: editScope,
  params: one,
  body: changeReleaseBody,
  responses: { 200: releaseSchema },
  errors: ['not_project_member', 'resource_not_found', 'release_not_changeable'],
})
export const deleteRelease = defineRoute({
  method: 'DELETE',
  path: '/marketplace/projects/:slug/releases/:releaseId',
  tag,
  summary: 'Withdraw a published release, or discard an unpublished one',
  access: release,
  keyScope: editScope,
  params: one,
  responses: { 204: null },
  errors: ['not_project_member', 'resource_not_found'],
})

export const createPackage = defineRoute({
  method: 'POST',
  path: '/servers/:id/package/create',
  tag: 'Packages',
  summary: 'Create a release of a project from files on a server. It is published once it has passed all checks.',
  access: { kind: 'server', param: 'id', capability: 'server.manage' },
  keyScope: 'access',
  stepUp: 'second-factor-or-key',
  params: z.object({ id: idSchema }),
  body: createPackageBody,
  responses: { 202: z.object({ create_package_process_id: idSchema, release_id: releaseIdSchema }) },
  errors: [
    'server_id_not_found',
    'insufficient_capabilities',
    'server_has_no_files',
    'server_is_preparing',
    'not_project_member',
    'resource_not_found',
    'resource_already_exists',
    'second_factor_missing',
    'too_many_requests',
  ],
})

const anyBytes = 'application/octet-stream'
export const artifactDownload = {
  kind: 'bytes',
  method: 'GET',
  path: '/api/v1/marketplace/projects/:slug/releases/:releaseId/artifacts/:artifactId',
  tag,
  summary: 'Download a file of a release',
  access: { kind: 'public' },
  params: z.object({ slug: z.string().max(64), releaseId: z.string().max(20), artifactId: z.string().max(40) }),
  type: anyBytes,
  errors: ['resource_not_found'],
} as const satisfies TransportSpec

const byTicket = {
  kind: 'bytes',
  path: '/marketplace-uploads/:ticket',
  tag,
  access: { kind: 'ticket' },
  params: z.object({ ticket: z.string().max(100) }),
  type: anyBytes,
} as const
export const artifactUploadHead = {
  ...byTicket,
  method: 'HEAD',
  summary: 'Get the upload progress of a release file in `Upload-Offset` and `Upload-Length` (tus 1.0)',
  errors: ['transfer_ended'],
} as const satisfies TransportSpec
export const artifactUpload = {
  ...byTicket,
  method: 'PATCH',
  summary: 'Upload the next bytes of a release file from `Upload-Offset` on (tus 1.0)',
  takes: 'application/offset+octet-stream',
  errors: ['transfer_ended', 'upload_offset_differs', 'upload_checksum_differs', 'request_too_large'],
} as const satisfies TransportSpec
