import { z } from 'zod'
import {
  capabilitySetBody,
  capabilitySetHolderSchema,
  capabilitySetSchema,
  giveCapabilitySetBody,
  userCapabilitySetsSchema,
} from './capability-set.ts'
import { idSchema } from '../primitives.ts'
import { defineRoute } from '../route.ts'

const access = { kind: 'capability', capability: 'admin' } as const
const tag = 'Administration'
const params = z.object({ id: idSchema })

export const listCapabilitySets = defineRoute({
  method: 'GET',
  path: '/admin/capability-sets',
  tag,
  summary: 'List the saved capability sets, sorted by name',
  access,
  responses: { 200: z.array(capabilitySetSchema) },
  errors: ['insufficient_capabilities'],
})
export const createCapabilitySet = defineRoute({
  method: 'POST',
  path: '/admin/capability-sets',
  tag,
  summary: 'Create a capability set. It cannot hold more administrative capabilities than the caller does.',
  access,
  body: capabilitySetBody,
  responses: { 201: capabilitySetSchema },
  errors: ['insufficient_capabilities', 'resource_already_exists'],
})
export const changeCapabilitySet = defineRoute({
  method: 'PUT',
  path: '/admin/capability-sets/:id',
  tag,
  summary: 'Update a capability set. The change applies at once to every user who has it.',
  access,
  stepUp: true,
  params,
  body: capabilitySetBody,
  responses: { 200: capabilitySetSchema },
  errors: ['insufficient_capabilities', 'resource_not_found', 'resource_already_exists', 'last_administrator'],
})
export const deleteCapabilitySet = defineRoute({
  method: 'DELETE',
  path: '/admin/capability-sets/:id',
  tag,
  summary: 'Delete a capability set and remove it from every user who has it',
  access,
  params,
  responses: { 204: null },
  errors: ['insufficient_capabilities', 'resource_not_found', 'last_administrator'],
})
export const listCapabilitySetHolders = defineRoute({
  method: 'GET',
  path: '/admin/capability-sets/:id/users',
  tag,
  summary: 'List the users who have a capability set, most recent first (at most 500)',
  access,
  params,
  responses: { 200: z.array(capabilitySetHolderSchema) },
  errors: ['insufficient_capabilities', 'resource_not_found'],
})
export const giveCapabilitySet = defineRoute({
  method: 'POST',
  path: '/admin/capability-sets/:id/users',
  tag,
  summary: 'Give a capability set to a user, by user name or e-mail address',
  access,
  stepUp: true,
  params,
  body: giveCapabilitySetBody,
  responses: { 201: capabilitySetHolderSchema },
  errors: ['insufficient_capabilities', 'resource_not_found', 'user_not_found'],
})
export const takeCapabilitySet = defineRoute({
  method: 'DELETE',
  path: '/admin/capability-sets/:id/users/:userId',
  tag,
  summary: 'Remove a capability set from a user',
  access,
  params: z.object({ id: idSchema, userId: idSchema }),
  responses: { 204: null },
  errors: ['insufficient_capabilities', 'resource_not_found', 'last_administrator'],
})
export const listUserCapabilitySets = defineRoute({
  method: 'GET',
  path: '/admin/users/:id/capability-sets',
  tag,
  summary: 'Get the capabilities granted to a user directly, and the user’s capability sets',
  access,
  params,
  responses: { 200: userCapabilitySetsSchema },
  errors: ['insufficient_capabilities', 'user_not_found'],
})
