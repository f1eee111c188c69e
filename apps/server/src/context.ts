/**
 * Everything a feature may need, made once per process and passed on; no container, no globals.
 */
import '#src/listeners.ts'
import type { Logger } from '@wakestone/kit/logger'
import type { Secrets } from '@wakestone/kit/secrets'
import type { Settings } from '@wakestone/kit/settings'
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
}

/** Opens database and job queue. `role` decides who looks after the queue's upkeep. */
export async function createContext({
  settings,
  secrets,
  logger,
  databaseUrl,
  role,
}: {
  settings: Settings
  secrets: Secrets
  logger: Logger
  databaseUrl: string
  role: 'api' | 'worker'
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
  }
}

export async function closeContext(context: Context): Promise<void> {
  await context.boss.stop({ graceful: true, timeout: 10_000 })
  context.mailer.close()
  await context.database.close()
}
