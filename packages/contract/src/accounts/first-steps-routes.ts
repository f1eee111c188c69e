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
  summary: 'Hide the list of first steps for good',
  access: { kind: 'user' },
  responses: { 204: null },
  errors: [],
})
