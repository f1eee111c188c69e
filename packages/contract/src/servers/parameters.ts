/** What the owner of a server may set. */
import { z } from 'zod'
import { languageSchema } from '../primitives.ts'
import { productParametersSchema } from '../sales/product.ts'
import { serverNameSchema } from '../validation.ts'

export const descriptionLength = 255
/** A year: later is never. */
const mostSleepMinutes = 525_600
const minutes = z.int().min(1).max(mostSleepMinutes).nullable()

/** Minutes without anybody before each level; null: as the plan has it. */
export const ownSleepSchema = z.object({ light: minutes, deep: minutes, hibernate: minutes })
export type OwnSleep = z.infer<typeof ownSleepSchema>
export const sleepLevels = ['light', 'deep', 'hibernate'] as const
type PlanSleep = Record<(typeof sleepLevels)[number], number | null>

/** Sooner than the plan says, never later. */
export function soonerSleep(plan: PlanSleep, own: OwnSleep | null): PlanSleep {
  const sooner = (level: (typeof sleepLevels)[number]) => {
    const wish = own?.[level] ?? null
    const rule = plan[level]
    return wish === null ? rule : rule === null ? wish : Math.min(wish, rule)
  }
  return { light: sooner('light'), deep: sooner('deep'), hibernate: sooner('hibernate') }
}

/** Options of the Java machine that an owner may choose; memory and what it runs are not among them. */
const startFlags = [
  /^-XX:\+Use(G1|Z|Shenandoah|Parallel|Serial)GC$/,
  /^-XX:[+-](ParallelRefProcEnabled|DisableExplicitGC|AlwaysPreTouch|PerfDisableSharedMem|ZGenerational|UseStringDeduplication)$/,
  /^-XX:(MaxGCPauseMillis|G1NewSizePercent|G1MaxNewSizePercent|G1ReservePercent|G1MixedGCCountTarget|InitiatingHeapOccupancyPercent|SurvivorRatio|MaxTenuringThreshold)=\d{1,5}$/,
  /^-XX:G1HeapRegionSize=(1|2|4|8|16|32)M$/,
  /^-D(paper|Paper|minecraft|log4j2|user)\.[A-Za-z0-9.]{1,60}=[A-Za-z0-9._-]{1,60}$/,
]
export const startFlagSchema = z
  .string()
  .max(120)
  .refine((flag) => startFlags.some((allowed) => allowed.test(flag)), 'start_flag')

export const parametersSchema = z.object({
  name: serverNameSchema,
  description: z
    .string()
    .trim()
    .max(descriptionLength, 'description')
    .regex(/^[^\p{C}]*$/u, 'description'),
  /** Of the messages that its players read. */
  language: languageSchema,
  sleep: ownSleepSchema,
  /** For engines that run on Java; they come with the next start. */
  start_flags: z.array(startFlagSchema).max(20),
})
export type Parameters = z.infer<typeof parametersSchema>
export const shownParametersSchema = parametersSchema.extend({
  /** What the plan has, which is the latest that may be chosen. */
  plan_sleep: z.object({ light: z.number().nullable(), deep: z.number().nullable(), hibernate: z.number().nullable() }),
})

const gibibyte = 1024 ** 3
const mebibyte = 1024 ** 2
/** Limits that administrators set beside those of the plan, in its units; what is missing is the plan's. */
export const setLimitsSchema = z
  .strictObject({
    memory: z
      .int()
      .min(512 * mebibyte, 'limit')
      .max(1024 * gibibyte, 'limit'),
    cpu: z.number().min(0.1, 'limit').max(256, 'limit'),
    storage: z
      .int()
      .min(gibibyte, 'limit')
      .max(64 * 1024 * gibibyte, 'limit'),
    players: z.int().min(1, 'limit').max(100_000, 'limit').nullable(),
    sleep: productParametersSchema.shape.sleep,
    names: z.int().min(0, 'limit').max(1000, 'limit'),
    ports: z.int().min(0, 'limit').max(10, 'limit'),
    mysql: z
      .int()
      .min(0, 'limit')
      .max(1024 * gibibyte, 'limit'),
  })
  .partial()
export type SetLimits = z.infer<typeof setLimitsSchema>

/** `limits`: of administrators only (`admin.server.parameters`); they replace all that was set before. */
export const changeParametersBody = parametersSchema.partial().extend({ limits: setLimitsSchema.optional() })
