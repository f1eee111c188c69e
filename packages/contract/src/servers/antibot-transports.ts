import { z } from 'zod'
import type { TransportSpec } from '../transport.ts'
import { antibotReportBody } from './antibot.ts'

export const gatewayAntibot = {
  kind: 'call',
  method: 'POST',
  path: '/internal/gateway/antibot',
  tag: 'Servers',
  summary: 'Report the outcome of joins minute by minute, and the servers that bots are attacking',
  access: { kind: 'gateway' },
  type: 'application/json',
  body: antibotReportBody,
  answer: z.object({}),
  errors: ['unauthorized'],
} as const satisfies TransportSpec
