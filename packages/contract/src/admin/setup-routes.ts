import { defineRoute } from '../route.ts'
import { setupSchema } from './setup.ts'

export const getSetup = defineRoute({
  method: 'GET',
  path: '/admin/setup',
  tag: 'Administration',
  summary: 'Get what a new installation still needs to have set up, checked as `doctor` checks it',
  access: { kind: 'capability', capability: 'admin' },
  keyScope: 'access',
  responses: { 200: setupSchema },
  errors: ['insufficient_capabilities'],
})
