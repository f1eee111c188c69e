/**
 * Claims of the EdDSA tokens with which the control plane speaks to supervisors, files services and agents, and lets a
 * gateway thaw a game or reach it through an agent. A token names audience, purpose, server and expiry; `token-check.ts` checks it.
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

export const filesTokenClaims = z.object({
  aud: z.literal('files'),
  /**
   * `control`: every route. `read`: `/v1/read` of `path`. `archive`: `/v1/archive` of `paths`. `upload`: a file at `path` of
   * at most `size` bytes. `sftp`: `/v1/sftp`.
   */
  purpose: z.enum(['control', 'read', 'upload', 'archive', 'sftp']),
  server: z.uuid(),
  path: z.string().optional(),
  paths: z.array(z.string()).optional(),
  size: z.number().int().optional(),
  exp: z.number().int(),
})
export type FilesTokenClaims = z.infer<typeof filesTokenClaims>

export const agentTokenClaims = z.object({
  aud: z.literal('agent'),
  /**
   * `manage`: all that the control plane asks of the agent whose id `server` is. `game`: a way to the game of that server
   * and nothing else, which is why it may live long and lie with a gateway.
   */
  purpose: z.enum(['manage', 'game']),
  server: z.uuid(),
  exp: z.number().int(),
})
export type AgentTokenClaims = z.infer<typeof agentTokenClaims>
