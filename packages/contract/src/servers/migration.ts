/**
 * Moving a server to another cluster: where it can go, who has to agree, and how long its game is down for it; and bringing
 * one up elsewhere from a backup whose machine is lost.
 */
import { z } from 'zod'
import { idSchema, timeSchema } from '../primitives.ts'

/**
 * Why a server cannot go to a cluster.
 *   same_cluster   it is there
 *   lost           the machine that has its files does not answer: only a backup is left of them
 *   draining       that cluster is being emptied
 *   closed         it takes no servers
 *   no_room        its disk has no room for the files
 *   port_taken     a port of the server is another server's there
 *   price          what is paid for it costs more there, or is not on sale
 *   plan           its plan leaves that to administrators
 *   mysql          it has tables of MySQL that nobody can read now: its plan has none any more, or has run out
 *   unfit          the cluster cannot place servers now
 *   kept           files are kept there since it was rescued from that cluster, and would be written over
 *   not_lost       of rescues alone: its machine answers, so it can be moved
 *   no_backup      of rescues alone: there is no backup to bring it up from
 */
export const migrationObstacles = [
  'same_cluster',
  'lost',
  'draining',
  'closed',
  'no_room',
  'port_taken',
  'price',
  'plan',
  'mysql',
  'unfit',
  'kept',
  'not_lost',
  'no_backup',
] as const
export type MigrationObstacle = (typeof migrationObstacles)[number]
/** Those that an administrator may pass over. */
const forcibleObstacles: readonly MigrationObstacle[] = ['closed', 'price', 'plan']
/** Whether a server can go there. @param isForced by an administrator */
export const isPassable = (obstacle: MigrationObstacle | null, isForced: boolean): boolean =>
  obstacle === null || (isForced && forcibleObstacles.includes(obstacle))

const clusterId = z.string().regex(/^[\w-]{1,64}$/)
export const migrationReasonSchema = z.string().trim().min(3, 'reason').max(500, 'reason')

export const migrateBody = z.strictObject({
  cluster_id: clusterId,
  /**
   * Of administrators only. `ask`: its owner is asked, and says yes by asking for the same; `force`: it goes now. Missing:
   * the owner's own wish, or their yes.
   */
  by: z.enum(['ask', 'force']).optional(),
  /** Why; of administrators only, who have to say so. */
  reason: migrationReasonSchema.optional(),
})

export const migrationSchema = z.object({
  cluster_id: z.string(),
  cluster_name: z.string(),
  /** What an administrator asks of the owner. */
  request: z
    .object({ cluster_id: z.string(), cluster_name: z.string(), reason: z.string(), asked_at: timeSchema })
    .nullable(),
  /** Where else it could be. */
  targets: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      country_code: z.string().nullable(),
      /** Why it cannot go there; null: it can. */
      obstacle: z.enum(migrationObstacles).nullable(),
      /** How long its game would be down, by what moves took before; null: it is not up. */
      down_seconds: z.number().nullable(),
    }),
  ),
  /** Bytes of its files that go along. */
  bytes: z.number(),
  /** The last time that it moved. */
  last: z
    .object({
      from: z.string(),
      to: z.string(),
      moved_at: timeSchema,
      bytes: z.number(),
      /** How long its game was down, as it was measured, and as it was expected to be; null: it was not up. */
      down_seconds: z.number().nullable(),
      expected_seconds: z.number().nullable(),
    })
    .nullable(),
})
export type Migration = z.infer<typeof migrationSchema>

export const migrationBegunSchema = z.object({
  /** Null where its owner was asked. */
  migrate_process_id: idSchema.nullable(),
  /** The process that stops the game: the same one, where the game is up. */
  stop_game_process_id: idSchema.nullable(),
})

/** Of a server whose machine is lost: where it is to come up again, and from which of its backups. */
export const rescueBody = z.strictObject({
  cluster_id: clusterId,
  /** Why; its owner reads it. */
  reason: migrationReasonSchema,
  /** Missing: the newest of those that are offered. */
  backup_id: idSchema.optional(),
})

const rescueBackupSchema = z.object({
  id: idSchema,
  created_at: timeSchema,
  name: z.string().nullable(),
  /** Of the files in it. */
  bytes: z.number(),
})

export const rescueSchema = z.object({
  /** Whether its machine does not answer: nothing else is rescued. */
  is_lost: z.boolean(),
  /** Since when it was missed; null: nobody has looked for it, as while a server hibernates. */
  lost_since: timeSchema.nullable(),
  /** Those that it can be brought up from, newest first. */
  backups: z.array(rescueBackupSchema),
  /** Where it could come up. */
  targets: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      country_code: z.string().nullable(),
      /** Why it cannot go there; null: it can. */
      obstacle: z.enum(migrationObstacles).nullable(),
    }),
  ),
})
export type Rescue = z.infer<typeof rescueSchema>

export const rescueBegunSchema = z.object({ process_id: idSchema, backup: rescueBackupSchema })
