/**
 * Claims of the short-lived EdDSA tokens with which the control plane speaks to supervisors.
 * Each purpose has a key of its own; a token names audience, purpose, server and expiry.
 */
import { z } from 'zod'

export const supervisorTokenClaims = z.object({
  aud: z.literal('supervisor'),
  purpose: z.enum(['control', 'console']),
  /** The one server this token is good for. */
  server: z.uuid(),
  exp: z.number().int(),
})
export type SupervisorTokenClaims = z.infer<typeof supervisorTokenClaims>
