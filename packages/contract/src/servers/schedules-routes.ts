import { z } from 'zod'
import { idSchema } from '../primitives.ts'
import { defineRoute } from '../route.ts'
import { scheduleBody, scheduleSchema } from './schedules.ts'

const tag = 'Schedules'
const params = z.object({ id: idSchema })
const one = z.object({ id: idSchema, schedule_id: idSchema })
const manage = { kind: 'server', param: 'id', capability: 'server.manage' } as const
const hidden = ['server_id_not_found', 'insufficient_capabilities'] as const

export const listSchedules = defineRoute({
  method: 'GET',
  path: '/servers/:id/schedules',
  tag,
  summary: 'List a server’s schedules with their next runs and latest results',
  access: manage,
  keyScope: 'access',
  params,
  responses: { 200: z.array(scheduleSchema) },
  errors: hidden,
})
export const createSchedule = defineRoute({
  method: 'POST',
  path: '/servers/:id/schedules',
  tag,
  summary: 'Create a schedule that runs at set times or after an event',
  access: manage,
  keyScope: 'access',
  params,
  body: scheduleBody,
  responses: { 201: scheduleSchema },
  errors: [...hidden, 'too_many_schedules'],
})
export const changeSchedule = defineRoute({
  method: 'PUT',
  path: '/servers/:id/schedules/:schedule_id',
  tag,
  summary: 'Update a schedule. Runs under way are not affected.',
  access: manage,
  keyScope: 'access',
  params: one,
  body: scheduleBody,
  responses: { 200: scheduleSchema },
  errors: [...hidden, 'resource_not_found'],
})
export const deleteSchedule = defineRoute({
  method: 'DELETE',
  path: '/servers/:id/schedules/:schedule_id',
  tag,
  summary: 'Delete a schedule. Runs under way end.',
  access: manage,
  keyScope: 'access',
  params: one,
  responses: { 204: null },
  errors: [...hidden, 'resource_not_found'],
})
export const runSchedule = defineRoute({
  method: 'POST',
  path: '/servers/:id/schedules/:schedule_id/run',
  tag,
  summary: 'Run a schedule now, regardless of its conditions',
  access: manage,
  keyScope: 'access',
  params: one,
  responses: { 202: scheduleSchema },
  errors: [...hidden, 'resource_not_found', 'too_many_requests'],
})
