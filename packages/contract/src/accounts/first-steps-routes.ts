import { defineRoute } from '../route.ts'
import { firstStepsSchema } from './first-steps.ts'

const tag = 'Support'

export const getFirstSteps = defineRoute({
  method: 'GET',
  path: '/support/first-steps',
  tag,
  summary: 'Which of the first steps the caller has taken',
  access: { kind: 'user' },
  responses: { 200: firstStepsSchema },
  errors: [],
})
export const closeFirstSteps = defineRoute({
  method: 'POST',
  path: '/support/first-steps/close',
  tag,
  summary: 'Show the list of first steps no more',
  access: { kind: 'user' },
  responses: { 204: null },
  errors: [],
})
