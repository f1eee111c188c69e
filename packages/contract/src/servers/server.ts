import { z } from 'zod'
import { antibotModes } from './antibot.ts'
import { paymentMethodSchema } from '../money/transaction.ts'
import {
  billingPeriodSchema,
  capabilityMapSchema,
  currencySchema,
  idSchema,
  languageSchema,
  timeSchema,
} from '../primitives.ts'
import { engineIds, type EngineId } from './engine-ids.ts'
import { productParametersSchema } from '../sales/product.ts'
import { levelCauses } from './levels.ts'
import { clusterPortSchema } from './ports.ts'
import { gameStatuses, serverActivities } from '../states.ts'
import { serverNameSchema, subdomainSchema } from '../validation.ts'
import { voucherCodeSchema, voucherCodesSchema } from '../sales/voucher-code.ts'

export { engineIds, type EngineId } from './engine-ids.ts'

export const games = ['minecraft-java', 'minecraft-bedrock'] as const
export type Game = (typeof games)[number]

export const gameOfEngine: Record<EngineId, Game> = {
  'flying-squid': 'minecraft-java',
  paper: 'minecraft-java',
  purpur: 'minecraft-java',
  folia: 'minecraft-java',
  fabric: 'minecraft-java',
  quilt: 'minecraft-java',
  neoforge: 'minecraft-java',
  forge: 'minecraft-java',
  vanilla: 'minecraft-java',
  spigot: 'minecraft-java',
  'own-jar': 'minecraft-java',
  velocity: 'minecraft-java',
  'bedrock-dedicated': 'minecraft-bedrock',
  pocketmine: 'minecraft-bedrock',
  nukkit: 'minecraft-bedrock',
  powernukkitx: 'minecraft-bedrock',
  serenity: 'minecraft-bedrock',
}

/** Engines that hand players on to other servers: they speak many versions of the game and have no world. */
const proxyEngines: readonly string[] = ['velocity'] satisfies EngineId[]

/** Those that are no Java programs, whichever edition of the game they are for. */
const enginesWithoutJava: readonly EngineId[] = ['flying-squid', 'bedrock-dedicated', 'pocketmine', 'serenity']

/** Whether options of Java mean anything to it. */
export const runsOnJava = (engine: EngineId): boolean => !enginesWithoutJava.includes(engine)

export const isProxyEngine = (engine: string): boolean => proxyEngines.includes(engine)

export const clusterSchema = z.object({
  id: z.string(),
  visible_permission: z.string().nullable(),
  disabled: z.boolean(),
  host: z.string(),
  zone_name: z.string(),
  metadata: z.object({ name: z.string(), country_code: z.string().nullable() }),
})
export type Cluster = z.infer<typeof clusterSchema>

export const domainSchema = z.object({
  id: idSchema,
  server_id: idSchema.nullable(),
  user_id: idSchema,
  kind: z.enum(['primary', 'secondary']),
  fqdn: z.string(),
  sub_domain: z.string(),
  zone_name: z.string(),
  /** A domain of its owner's: its records are not set by us. */
  external_ns: z.boolean(),
  /** Added: made up by us. */
  generated: z.boolean(),
  created_at: timeSchema,
  updated_at: timeSchema,
  expires: timeSchema.nullable(),
})

export type Domain = z.infer<typeof domainSchema>

/** Of a server that is not ready yet; how far it has come is told by its operation. */
export const preparationSchema = z.object({
  /** A code of the catalogue, when it could not be done. */
  error: z.string().nullable(),
})

export const serverStatusSchema = z.object({
  game_status: z.enum(gameStatuses),
  /** What is being done with it right now; null = nothing. */
  activity: z.enum(serverActivities).nullable(),
  /** It ended unasked and is not being restarted. */
  crashed: z.boolean(),
  /** Added: what keeps it awake or why it sleeps, since when it is at its level, and until when if nothing happens. */
  level: z
    .object({ causes: z.array(z.enum(levelCauses)), since: timeSchema.nullable(), until: timeSchema.nullable() })
    .nullable(),
  /** Added: seconds that a start takes, by its last ones; null: it was never started. */
  start_seconds: z.number().nullable(),
  expired: z.boolean(),
  preparation: preparationSchema.nullable(),
  pod_name: z.string().nullable(),
  pod_image: z.string().nullable(),
  /** Version of the supervisor beside the game. */
  hypnos_version: z.string().nullable(),
  launched: timeSchema.nullable(),
  terminated: timeSchema.nullable(),
  termination_expected: z.boolean().nullable(),
  termination_code: z.int().nullable(),
  players: z.object({ online: z.int(), max: z.int().nullable(), names: z.array(z.string()) }),
})
export type ServerStatus = z.infer<typeof serverStatusSchema>

export const serverParametersSchema = z.object({
  game: z.enum(games),
  engine: z.enum(engineIds),
  engine_version: z.string(),
  /** Added: the one version of Minecraft that it runs; null: it speaks several, or its maker does not say. */
  game_version: z.string().nullable(),
  /** What it may use: its plan and what was added to it. */
  limits: productParametersSchema,
  /** It was started with others: these come with its next start. */
  limits_pending: z.boolean(),
  antibot: z.enum(antibotModes),
  image: z.string().nullable(),
})

export const serverSchema = z.object({
  id: idSchema,
  name: z.string(),
  pod: z.string().nullable(),
  cluster_id: z.string(),
  persistent_volume: z.string().nullable(),
  service_id: idSchema,
  product_id: z.string(),
  owner_id: idSchema,
  /** User name of the owner. */
  owner_name: z.string(),
  created_at: timeSchema,
  cleanup_date: timeSchema.nullable(),
  deleted_at: timeSchema.nullable(),
  /** Added: when its files were given up; they cannot be brought back. And when they were gone. */
  files_deleted_at: timeSchema.nullable(),
  volume_removed_at: timeSchema.nullable(),
  /** When the paid time ends; null = never. */
  expires: timeSchema.nullable(),
  /** Added: when its owner withdrew from the contract, which ended it; null: it did not end that way. */
  withdrawn_at: timeSchema.nullable(),
  autostart: z.boolean(),
  disabled: z.boolean(),
  hidden: z.boolean(),
  testing: z.boolean(),
  sponsored: z.boolean(),
  auto_renew: z.boolean(),
  /** Added: its owner has it end with the paid time. */
  cancel_at_end: z.boolean(),
  active: z.boolean(),
  can_migrate: z.boolean(),
  referrer: z.string().nullable(),
  last_node: z.string().nullable(),
  parameters: serverParametersSchema,
  user_capabilities: capabilityMapSchema,
  domains: z.array(domainSchema),
  cluster_ports: z.array(clusterPortSchema),
  /** What a player types, with the port where it is not the standard one. */
  address: z.string(),
  status: serverStatusSchema,
})
export type Server = z.infer<typeof serverSchema>

export const createServerBody = z.object({
  name: serverNameSchema,
  /** What a free plan does without: its address is generated. */
  subdomain: subdomainSchema.optional(),
  cluster_id: z.string().min(1).max(64),
  /** The engine's where missing. */
  game: z.enum(games).optional(),
  engine: z.enum(engineIds),
  engine_version: z.string().min(1).max(32),
  /** Added. The wallet where missing. */
  payment_method: paymentMethodSchema.optional(),
  requested_billing_services: z.array(z.string().max(64)).min(1).max(10),
  billing_period: billingPeriodSchema,
  currency: currencySchema,
  wallet_id: idSchema,
  language: languageSchema.default('en'),
  vouchers: voucherCodesSchema.optional(),
  /** The buyer asks for it to begin at once, knowing that a withdrawal then costs the time used. */
  immediate: z.boolean().optional(),
})
export type CreateServerBody = z.infer<typeof createServerBody>

/** The voucher pays for the server, and says how long it lasts; period and wallet are those of its renewals. */
export const createServerByVoucherBody = createServerBody
  .omit({ vouchers: true, payment_method: true })
  .extend({ voucher: voucherCodeSchema })

/** Engines a server can be made with, newest version first. */
export const engineSchema = z.object({
  id: z.enum(engineIds),
  name: z.string(),
  latest: z.string(),
  versions: z.array(z.object({ id: z.string(), type: z.enum(['release', 'snapshot']) })),
})
export const gamesSchema = z.array(z.object({ id: z.enum(games), engines: z.array(engineSchema) }))
