/** Places where servers run, as administrators see and change them. */
import { z } from 'zod'
import { timeSchema } from '../primitives.ts'
import { historySpans } from '../servers/history.ts'
import { capabilityNameSchema } from './admin.ts'

const share = z.object({ total: z.number(), free: z.number() })

export const adminClusterSchema = z.object({
  id: z.string(),
  name: z.string(),
  country_code: z.string().nullable(),
  host: z.string(),
  zone_name: z.string(),
  driver: z.string(),
  /** Takes no new servers. */
  disabled: z.boolean(),
  /** Its servers stand still too. */
  draining: z.boolean(),
  /** Seen only by holders of this capability; null: by everybody. */
  visible_permission: z.string().nullable(),
  /** How many free servers may be up at once; null: as the settings say. */
  free_places: z.int().nullable(),
  /** Whether anything is on sale there. */
  has_prices: z.boolean(),
  servers: z.object({
    all: z.int(),
    /** Their supervisors are there. */
    placed: z.int(),
    /** Their games are up, frozen ones too. */
    up: z.int(),
    players: z.int(),
  }),
  /** What is promised by plans, and what was measured in the last minutes. Bytes and cores. */
  memory: z.object({ promised: z.number(), placed: z.number(), used: z.number() }),
  cpu: z.object({ promised: z.number(), placed: z.number(), used: z.number() }),
  storage: z.object({ promised: z.number(), used: z.number() }),
  /** The machine below it; null where it is not this one. */
  machine: z.object({ memory: share, storage: share, cores: z.int(), load: z.number() }).nullable(),
})
export type AdminCluster = z.infer<typeof adminClusterSchema>

/** Of one that is there, whoever has made it. */
export const knownClusterIdSchema = z.string().regex(/^[\w-]{1,64}$/)
const clusterIdSchema = z
  .string()
  .trim()
  .min(2, 'cluster_id')
  .max(32, 'cluster_id')
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'cluster_id')
const hostName = z
  .string()
  .trim()
  .toLowerCase()
  .max(253, 'host_name')
  .regex(/^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, 'host_name')
const name = z
  .string()
  .trim()
  .min(1, 'required')
  .max(64, 'too_long')
  .regex(/^[^\p{C}]*$/u, 'required')
const country = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z]{2}$/, 'country_code')
  .nullable()
const settings = {
  name,
  country_code: country,
  visible_permission: capabilityNameSchema.nullable(),
  free_places: z.int().min(0, 'free_places').max(100_000, 'free_places').nullable(),
}

export const createClusterBody = z.strictObject({
  id: clusterIdSchema,
  ...settings,
  /** Names of its servers stand below this one. */
  zone_name: hostName,
  /** The cluster whose prices are taken over. */
  prices_of: knownClusterIdSchema.optional(),
})
/** What is missing stays as it is. `draining` disables it too. */
export const changeClusterBody = z
  .strictObject({ ...settings, disabled: z.boolean(), draining: z.boolean() })
  .partial()
  .refine((body) => Object.keys(body).length > 0, 'nothing_to_change')

export const clusterHistoryQuery = z.object({ span: z.enum(historySpans).default('day') })
const sum = z.number()
export const clusterHistorySchema = z.object({
  from: timeSchema,
  to: timeSchema,
  step_seconds: z.int(),
  /** Sums over all of its servers; steps in which nothing was measured are left out. */
  points: z.array(z.object({ at: timeSchema, cpu: sum, memory: sum, disk: sum, players: sum, servers: sum })),
})
export type ClusterHistory = z.infer<typeof clusterHistorySchema>
