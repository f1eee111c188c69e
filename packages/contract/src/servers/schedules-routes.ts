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
  summary: 'What a server does by itself, with the next times and what came of the last ones',
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
  summary: 'Have a server do something at times, or after something has happened',
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
  summary: 'Change a schedule; runs under way go on as they were begun',
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
  summary: 'Delete a schedule; what is under way ends',
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
  summary: 'Have a schedule run now, whatever its conditions',
  access: manage,
  keyScope: 'access',
  params: one,
  responses: { 202: scheduleSchema },
  errors: [...hidden, 'resource_not_found', 'too_many_requests'],
})
