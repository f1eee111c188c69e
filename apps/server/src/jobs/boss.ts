/**
 * Background jobs in PostgreSQL. A job is enqueued in the transaction of what it belongs to.
 */
import type { Transaction as KyselyTransaction } from 'kysely'
import { fromKysely, PgBoss } from 'pg-boss'
import type { Logger } from '@wakestone/kit/logger'
import type { DB } from '#src/db/types.gen.ts'

export type Boss = PgBoss

/** One kind of job: its queue, how it repeats, what it carries. The handler is given by the worker. */
export type JobDefinition<Data extends object> = {
  queue: string
  /** Per `singletonKey`, `short`: at most one waits; `singleton`: at most one is active; `stately`: both. See pg-boss. */
  policy: 'standard' | 'short' | 'singleton' | 'stately'
  retryLimit: number
  retryDelaySeconds: number
  expireInSeconds: number
  /** Never set; carries the type. */
  data?: Data
}

export function defineJob<Data extends object>(definition: JobDefinition<Data>): JobDefinition<Data> {
  return definition
}

/** How a mail is tried again: a mail server may be away for a while. */
export const mailRetries = {
  policy: 'standard',
  retryLimit: 8,
  retryDelaySeconds: 5,
  expireInSeconds: 60,
} as const satisfies Partial<JobDefinition<object>>

export function createBoss({ url, logger, supervise }: { url: string; logger: Logger; supervise: boolean }): PgBoss {
  const boss = new PgBoss({
    connectionString: url,
    max: 4,
    supervise,
    schedule: supervise,
    migrate: false,
    createSchema: false,
    useListenNotify: true,
  })
  boss.on('error', (error) => logger.warn({ error }, 'jobs: database trouble'))
  return boss
}

/** Makes the tables of the job queue, as part of the migrations. */
export async function installJobTables(url: string): Promise<void> {
  const boss = new PgBoss({ connectionString: url, max: 1, supervise: false, schedule: false })
  boss.on('error', () => undefined) // start() below rejects with the same error
  await boss.start()
  await boss.stop({ graceful: false })
}

/** Makes the queue of a job unless it is there. */
export async function ensureQueue(boss: PgBoss, job: JobDefinition<object>): Promise<void> {
  if ((await boss.getQueue(job.queue)) !== null) return
  await boss.createQueue(job.queue, {
    policy: job.policy,
    retryLimit: job.retryLimit,
    retryDelay: job.retryDelaySeconds,
    retryBackoff: true,
    expireInSeconds: job.expireInSeconds,
    notify: true,
  })
}

/**
 * Enqueues within a transaction: the job exists if and only if the rest was committed. Those of a higher `priority` are
 * done first; it is 0 unless given.
 */
export async function enqueue<Data extends object>(
  boss: PgBoss,
  trx: KyselyTransaction<DB>,
  job: JobDefinition<Data>,
  data: Data,
  options: { singletonKey?: string; startAfterSeconds?: number; priority?: number } = {},
): Promise<void> {
  await boss.send(job.queue, data, {
    db: fromKysely(trx),
    ...(options.singletonKey === undefined ? {} : { singletonKey: options.singletonKey }),
    ...(options.startAfterSeconds === undefined ? {} : { startAfter: options.startAfterSeconds }),
    ...(options.priority === undefined ? {} : { priority: options.priority }),
  })
}

/**
 * Has the worker do jobs of one kind, each with its data. A handler that throws has its job tried again.
 * Whoever has done one asks for the next at once: a notice of new jobs makes each look once, and those that were left
 * then would wait for the next look of pg-boss, half a minute away.
 */
export async function work<Data extends object>(
  { boss, logger }: { boss: PgBoss; logger: Logger },
  job: JobDefinition<Data>,
  handler: (data: Data) => Promise<void>,
  { concurrency = 2 }: { concurrency?: number } = {},
): Promise<void> {
  for (let count = 0; count < concurrency; count += 1) {
    const worker: string = await boss.work<Data>(
      job.queue,
      { batchSize: 1, pollingIntervalSeconds: 2 },
      async (jobs) => {
        for (const { id, data } of jobs) {
          try {
            await handler(data)
          } catch (error) {
            logger.warn({ error, queue: job.queue, job: id }, 'job failed; it will be tried again')
            throw error
          } finally {
            boss.notifyWorker(worker)
          }
        }
      },
    )
  }
}
