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
  summary: 'Where and under which name the caller reaches the files of a server over SFTP',
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
  summary: 'Have SFTP take SSH keys only, or passwords too; sessions by a password end at once',
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
  summary: 'Make the caller’s password for SFTP; the one before and its sessions end at once',
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
  summary: 'Remove the caller’s password for SFTP; its sessions end at once',
  access,
  params,
  responses: { 204: null },
  errors: [...errors],
})
