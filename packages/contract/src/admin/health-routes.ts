import { defineRoute } from '../route.ts'
import { healthSchema } from './health.ts'

export const getHealth = defineRoute({
  method: 'GET',
  path: '/admin/health',
  tag: 'Administration',
  summary: 'How the product is: queues and jobs, what is late, providers, disks, certificates, backups',
  access: { kind: 'capability', capability: 'admin' },
  keyScope: 'access',
  responses: { 200: healthSchema },
  errors: ['insufficient_capabilities'],
})
