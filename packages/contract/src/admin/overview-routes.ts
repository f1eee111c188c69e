import { defineRoute } from '../route.ts'
import { overviewSchema } from './overview.ts'

export const getOverview = defineRoute({
  method: 'GET',
  path: '/admin/overview',
  tag: 'Administration',
  summary: 'Get the counts of servers, free places, users, payments and tickets',
  access: { kind: 'capability', capability: 'admin' },
  keyScope: 'access',
  responses: { 200: overviewSchema },
  errors: ['insufficient_capabilities'],
})
