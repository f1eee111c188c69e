/**
 * Claims of the EdDSA tokens with which the control plane speaks to supervisors, and lets a gateway thaw a game.
 * Each purpose has a key of its own; a token names audience, purpose, server and expiry.
 */
import { z } from 'zod'

export const supervisorTokenClaims = z.object({
  aud: z.literal('supervisor'),
  /**
   * `control`: every route; `console`: the stream; `thaw`: `POST /v1/thaw` and nothing else, which is why it may live long
   * and lie with a gateway.
   */
  purpose: z.enum(['control', 'console', 'thaw']),
  /** The one server this token is good for. */
  server: z.uuid(),
  exp: z.number().int(),
})
export type SupervisorTokenClaims = z.infer<typeof supervisorTokenClaims>
