import { z } from 'zod'
import { defineRoute } from '../route.ts'
import { panelStates } from '../states.ts'
import { games } from './server.ts'

const demoServerSchema = z.object({
  name: z.string(),
  /** What a player types to join. */
  address: z.string(),
  game: z.enum(games),
  /** Of the game; null: several. */
  game_version: z.string().nullable(),
  state: z.enum(panelStates),
  players: z.object({ online: z.int(), max: z.int().nullable() }),
  /** Seconds that a start takes, by its last ones; null: it was never started. */
  start_seconds: z.number().nullable(),
})
export type DemoServer = z.infer<typeof demoServerSchema>

export const getDemoServer = defineRoute({
  method: 'GET',
  path: '/demo-server',
  tag: 'Servers',
  summary: 'Get the demo server that anyone can join, as set by the flag `demo-server`, and its status',
  access: { kind: 'public' },
  keyScope: 'any',
  responses: { 200: demoServerSchema },
  errors: ['resource_not_found'],
})
