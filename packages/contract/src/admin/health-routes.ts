import { defineRoute } from '../route.ts'
import { healthSchema } from './health.ts'

export const getHealth = defineRoute({
  method: 'GET',
  path: '/admin/health',
  tag: 'Administration',
  summary: 'Get the health of the installation: queues and jobs, overdue work, providers, disks, certificates, backups',
  access: { kind: 'capability', capability: 'admin' },
  keyScope: 'access',
  responses: { 200: healthSchema },
  errors: ['insufficient_capabilities'],
})
