import { z } from 'zod'
import { idSchema } from '../primitives.ts'
import { defineRoute } from '../route.ts'
import { firstStepsSchema } from './first-steps.ts'

const tag = 'Support'

export const getFirstSteps = defineRoute({
  method: 'GET',
  path: '/support/first-steps',
  tag,
  summary: 'Get which of the first steps the caller has completed',
  access: { kind: 'user' },
  responses: { 200: firstStepsSchema },
  errors: [],
})
export const closeFirstSteps = defineRoute({
  method: 'POST',
  path: '/support/first-steps/close',
  tag,
  summary: 'Hide the list of first steps for good, or those of one server',
  access: { kind: 'user' },
  query: z.object({ server_id: idSchema.optional() }),
  responses: { 204: null },
  errors: ['server_id_not_found'],
})
