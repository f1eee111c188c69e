/** SSH keys of an account. No API key may call any of these: it would open what it may not. */
import { z } from 'zod'
import { idSchema } from '../primitives.ts'
import { defineRoute } from '../route.ts'
import { createSshKeyBody, sshKeySchema } from './ssh-key.ts'

const tag = 'SSH keys'
const access = { kind: 'self', param: 'id' } as const
const params = z.object({ id: idSchema })

export const listSshKeys = defineRoute({
  method: 'GET',
  path: '/users/:id/ssh-keys',
  tag,
  summary: 'List the user’s SSH keys, newest first',
  access,
  params,
  responses: { 200: z.array(sshKeySchema) },
  errors: ['user_not_found'],
})
export const createSshKey = defineRoute({
  method: 'POST',
  path: '/users/:id/ssh-keys',
  tag,
  summary:
    'Add an SSH key. It opens the files of every server that the user can manage. Administrators cannot add one for a user.',
  access,
  stepUp: true,
  params,
  body: createSshKeyBody,
  responses: { 201: sshKeySchema },
  errors: ['user_not_found', 'access_denied', 'resource_already_exists'],
})
export const deleteSshKey = defineRoute({
  method: 'DELETE',
  path: '/users/:id/ssh-keys/:keyId',
  tag,
  summary: 'Delete an SSH key. Its open connections close at once.',
  access,
  beforeTerms: true,
  params: z.object({ id: idSchema, keyId: idSchema }),
  responses: { 204: null },
  errors: ['user_not_found', 'resource_not_found'],
})
