/** Places where servers run, as administrators see and change them. */
import { z } from 'zod'
import { timeSchema } from '../primitives.ts'
import { historySpans } from '../servers/history.ts'
import { capabilityNameSchema } from './admin.ts'
import { shownAgentSchema } from './agents.ts'
import { kubernetesSchema, shownKubernetesSchema } from './kubernetes.ts'

const share = z.object({ total: z.number(), free: z.number() })

/** What places its servers: sandboxes of this machine, the same of further ones by an agent, containers, or Pods. */
export const clusterDrivers = ['process', 'agent', 'docker', 'kubernetes'] as const
export type ClusterDriver = (typeof clusterDrivers)[number]

const pem = (kind: RegExp) => z.string().trim().max(20_000, 'too_long').regex(kind, 'pem')
const certificate = pem(/^-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s-]+-----END CERTIFICATE-----$/)
const privateKey = pem(
  /^-----BEGIN (?:(?:RSA|EC) )?PRIVATE KEY-----[A-Za-z0-9+/=\s-]+-----END (?:(?:RSA|EC) )?PRIVATE KEY-----$/,
)
const ipAddress = z.union([z.ipv4(), z.ipv6()], { error: 'ip_address' })
const most = { hosts: 50, refused: 20 }

/** A machine with a container engine. */
export const clusterHostSchema = z.strictObject({
  /** For people; one in a cluster. */
  name: z
    .string()
    .trim()
    .regex(/^[a-z0-9]([a-z0-9.-]{0,38}[a-z0-9])?$/, 'host_label'),
  /** `unix:///path/of/socket`, or `tcp://host:port` with TLS. */
  url: z
    .string()
    .trim()
    .max(300, 'too_long')
    .regex(/^(?:unix:\/\/(?:\/[\w.-]+)+|tcp:\/\/(?:[\w.-]+|\[[0-9a-fA-F:]+\]):\d{1,5})$/, 'engine_url'),
  /** Where gateways and the API reach its servers. */
  address: ipAddress,
  /** Its public addresses, which no server may reach. */
  refused: z.array(ipAddress).max(most.refused, 'too_many').default([]),
  /** PEM. They are never told again; where they are missing, those that the machine has stay. */
  ca: certificate.optional(),
  cert: certificate.optional(),
  key: privateKey.optional(),
})
export type ClusterHost = z.output<typeof clusterHostSchema>
const hosts = z
  .array(clusterHostSchema)
  .max(most.hosts, 'too_many')
  .refine((all) => new Set(all.map(({ name }) => name)).size === all.length, 'not_unique')

const shownHost = z.object({
  name: z.string(),
  url: z.string(),
  address: z.string(),
  refused: z.array(z.string()),
  has_tls: z.boolean(),
})
export type ShownClusterHost = z.infer<typeof shownHost>
/** What a cluster says of itself when it is asked to try all it needs. */
export const clusterCheckSchema = z.object({ ok: z.boolean(), problems: z.array(z.string()) })

export const adminClusterSchema = z.object({
  id: z.string(),
  name: z.string(),
  country_code: z.string().nullable(),
  host: z.string(),
  zone_name: z.string(),
  driver: z.string(),
  /** Machines with container engines; null where the driver has none. */
  hosts: z.array(shownHost).nullable(),
  /** Machines with agents; null where the driver has none. */
  agents: z.array(shownAgentSchema).nullable(),
  /** How a cluster of Kubernetes is spoken to; null where the driver is another, and before it is said. */
  kubernetes: shownKubernetesSchema.nullable(),
  /** What machines of either kind say now; none where nobody was heard in time. */
  nodes: z.array(z.object({ name: z.string(), answers: z.boolean(), placed: z.int() })),
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
/** Words that stand in addresses in the place of an id: `?cluster=new` is the form for a new one. */
const reservedIds = ['new']
const clusterIdSchema = z
  .string()
  .trim()
  .min(2, 'cluster_id')
  .max(32, 'cluster_id')
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'cluster_id')
  .refine((id) => !reservedIds.includes(id), 'reserved_id')
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
  driver: z.enum(clusterDrivers).default('process'),
  /** The cluster whose prices are taken over. */
  prices_of: knownClusterIdSchema.optional(),
})
/** What is missing stays as it is. `draining` disables it too. */
export const changeClusterBody = z
  .strictObject({ ...settings, disabled: z.boolean(), draining: z.boolean(), hosts, kubernetes: kubernetesSchema })
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
