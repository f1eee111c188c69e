/** Files of a server over SFTP. No key may call what makes a password: it would outlive the key. */
import { z } from 'zod'
import { idSchema } from '../primitives.ts'
import { defineRoute } from '../route.ts'
import { changeRemoteFilesBody, remoteFilesPasswordSchema, remoteFilesSchema } from './remotefs.ts'

const tag = 'Files'
const access = { kind: 'server', param: 'id', capability: 'server.manage' } as const
const params = z.object({ id: idSchema })
const errors = ['server_id_not_found', 'insufficient_capabilities'] as const

export const getRemoteFiles = defineRoute({
  method: 'GET',
  path: '/servers/:id/remotefs',
  tag,
  summary: 'Get the address and user name with which the caller reaches a server’s files over SFTP',
  access,
  keyScope: 'access',
  params,
  responses: { 200: remoteFilesSchema },
  errors: [...errors],
})
export const changeRemoteFiles = defineRoute({
  method: 'PATCH',
  path: '/servers/:id/remotefs',
  tag,
  summary:
    'Set whether SFTP accepts only SSH keys, or passwords too. With keys only, sessions opened by password end at once.',
  access,
  keyScope: 'access',
  params,
  body: changeRemoteFilesBody,
  responses: { 200: remoteFilesSchema },
  errors: [...errors],
})
export const createRemoteFilesToken = defineRoute({
  method: 'POST',
  path: '/servers/:id/remotefs/token',
  tag,
  summary: 'Create the caller’s SFTP password. The previous one and its sessions end at once.',
  access,
  stepUp: true,
  params,
  responses: { 201: remoteFilesPasswordSchema },
  errors: [...errors],
})
export const deleteRemoteFilesToken = defineRoute({
  method: 'DELETE',
  path: '/servers/:id/remotefs/token',
  tag,
  summary: 'Delete the caller’s SFTP password. Its sessions end at once.',
  access,
  params,
  responses: { 204: null },
  errors: [...errors],
})
