/**
 * Everything a feature may need, made once per process and passed on; no container, no globals.
 */
import '#src/listeners.ts'
import type { Logger } from '@wakestone/kit/logger'
import type { Secrets } from '@wakestone/kit/secrets'
import type { Settings } from '@wakestone/kit/settings'
import { createFleet, type Fleet } from '#src/adapters/clusters/fleet.ts'
import { createMailer, type Mailer } from '#src/adapters/mail/mailer.ts'
import { createClusterDirectory } from '#src/features/servers/clusters/service.ts'
import { type Channels, openChannels } from '#src/db/channels.ts'
import { type Database, type Db, openDatabase } from '#src/db/client.ts'
import { noReplica, openReplica, type Replica } from '#src/db/replica.ts'
import { type Boss, createBoss } from '#src/jobs/boss.ts'

export type Context = {
  settings: Settings
  secrets: Secrets
  logger: Logger
  db: Db
  database: Database
  /** For what is read over long times and may be some seconds old. */
  replica: Replica
  /** Connection string past any pooler, for locks that need a connection of their own. */
  databaseUrl: string
  /** Notifications from the database, whichever process caused them. */
  channels: Channels
  boss: Boss
  mailer: Mailer
  /** Every placed server, and how to speak to its supervisor. */
  fleet: Fleet
}

/** Opens database and job queue. `role` decides who looks after the queue's upkeep. */
export async function createContext({
  settings,
  secrets,
  logger,
  databaseUrl,
  role,
  fleet: given,
}: {
  settings: Settings
  secrets: Secrets
  logger: Logger
  databaseUrl: string
  role: 'api' | 'worker'
  fleet?: Fleet
}): Promise<Context> {
  const directUrl = settings.DATABASE_DIRECT_URL ?? databaseUrl
  const database = openDatabase({
    url: databaseUrl,
    size: settings.DATABASE_CONNECTIONS,
    named: settings.DATABASE_DIRECT_URL === undefined,
    onError: (error) => logger.warn({ error }, 'database connection lost'),
  })
  const { DATABASE_REPLICA_URL: replicaUrl, DATABASE_REPLICA_LAG_SECONDS: mostSeconds } = settings
  const replica =
    replicaUrl === undefined
      ? noReplica(database.db)
      : openReplica({ url: replicaUrl, db: database.db, mostSeconds, logger })
  const boss = createBoss({ url: directUrl, logger, supervise: role === 'worker' })
  await boss.start()
  const fleet =
    given ?? createFleet({ settings, secrets, logger, directory: createClusterDirectory({ db: database.db, secrets }) })
  return {
    settings,
    secrets,
    logger,
    db: database.db,
    database,
    replica,
    databaseUrl: directUrl,
    channels: openChannels({ url: directUrl, logger }),
    boss,
    mailer: createMailer({ settings, logger }),
    fleet,
  }
}

export async function closeContext(context: Context): Promise<void> {
  await context.boss.stop({ graceful: true, timeout: 10_000 })
  context.fleet.close()
  context.mailer.close()
  await context.channels.close()
  await context.replica.close()
  await context.database.close()
}
