/**
 * Everything a feature may need, made once per process and passed on; no container, no globals.
 */
import '#src/listeners.ts'
import type { Logger } from '@wakestone/kit/logger'
import type { Secrets } from '@wakestone/kit/secrets'
import type { Settings } from '@wakestone/kit/settings'
import { createFleet, type Fleet } from '#src/adapters/clusters/fleet.ts'
import { createMailer, type Mailer } from '#src/adapters/mail/mailer.ts'
import { type Database, type Db, openDatabase } from '#src/db/client.ts'
import { type Boss, createBoss } from '#src/jobs/boss.ts'

export type Context = {
  settings: Settings
  secrets: Secrets
  logger: Logger
  db: Db
  database: Database
  /** Connection string, for listeners that need a connection of their own. */
  databaseUrl: string
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
  fleet = createFleet({ settings, secrets, logger }),
}: {
  settings: Settings
  secrets: Secrets
  logger: Logger
  databaseUrl: string
  role: 'api' | 'worker'
  fleet?: Fleet
}): Promise<Context> {
  const database = openDatabase({
    url: databaseUrl,
    onError: (error) => logger.warn({ error }, 'database connection lost'),
  })
  const boss = createBoss({ url: databaseUrl, logger, supervise: role === 'worker' })
  await boss.start()
  return {
    settings,
    secrets,
    logger,
    db: database.db,
    database,
    databaseUrl,
    boss,
    mailer: createMailer({ settings, logger }),
    fleet,
  }
}

export async function closeContext(context: Context): Promise<void> {
  await context.boss.stop({ graceful: true, timeout: 10_000 })
  context.fleet.close()
  context.mailer.close()
  await context.database.close()
}
