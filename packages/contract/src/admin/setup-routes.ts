import { defineRoute } from '../route.ts'
import { setupSchema } from './setup.ts'

export const getSetup = defineRoute({
  method: 'GET',
  path: '/admin/setup',
  tag: 'Administration',
  summary: 'What is set up of a new installation, and what is not: looked at as the doctor looks',
  access: { kind: 'capability', capability: 'admin' },
  keyScope: 'access',
  responses: { 200: setupSchema },
  errors: ['insufficient_capabilities'],
})
