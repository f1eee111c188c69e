/**
 * Background jobs in PostgreSQL. A job is enqueued in the transaction of what it belongs to.
 */
import type { Transaction as KyselyTransaction } from 'kysely'
import { fromKysely, PgBoss, type QueueResult } from 'pg-boss'
import type { Logger } from '@wakestone/kit/logger'
import type { DB } from '#src/db/types.gen.ts'
import { SpanKind, traced, traceparent } from '#src/tracing.ts'

export type Boss = PgBoss

/** One kind of job: its queue, how it repeats, what it carries. The handler is given by the worker. */
export type JobDefinition<Data extends object> = {
  queue: string
  /** Per `singletonKey`, `short`: at most one waits; `singleton`: at most one is active; `stately`: both. See pg-boss. */
  policy: 'standard' | 'short' | 'singleton' | 'stately'
  retryLimit: number
  retryDelaySeconds: number
  expireInSeconds: number
  /** How long one that is done is kept, for whoever looks for a fault; a week unless given. */
  keepSeconds?: number
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
  const stop = boss.stop.bind(boss)
  boss.stop = async (options) => {
    await Promise.all((stops.get(boss) ?? []).map((end) => end()))
    await stop(options)
  }
  return boss
}

const stops = new WeakMap<PgBoss, (() => Promise<void>)[]>()
/** Has something ended before the queue is stopped. */
export function beforeStop(boss: PgBoss, end: () => Promise<void>): void {
  stops.set(boss, [...(stops.get(boss) ?? []), end])
}

/** Makes the tables of the job queue, as part of the migrations. */
export async function installJobTables(url: string): Promise<void> {
  const boss = new PgBoss({ connectionString: url, max: 1, supervise: false, schedule: false })
  boss.on('error', () => undefined) // start() below rejects with the same error
  await boss.start()
  await boss.stop({ graceful: false })
}

/** Makes the queues of jobs that are not there yet. */
export async function ensureQueues(boss: PgBoss, jobs: readonly JobDefinition<object>[]): Promise<void> {
  const present = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]))
  for (const job of jobs) await ensureQueue(boss, job, present.get(job.queue))
}

async function ensureQueue(boss: PgBoss, job: JobDefinition<object>, present: QueueResult | undefined): Promise<void> {
  const kept = job.keepSeconds === undefined ? {} : { deleteAfterSeconds: job.keepSeconds }
  if (present !== undefined) {
    if (job.keepSeconds !== undefined && present.deleteAfterSeconds !== job.keepSeconds)
      await boss.updateQueue(job.queue, kept)
    return
  }
  await boss.createQueue(job.queue, {
    ...kept,
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
  const parent = traceparent()
  await boss.send(job.queue, parent === undefined ? data : { ...data, traceparent: parent }, {
    db: fromKysely(trx),
    ...(options.singletonKey === undefined ? {} : { singletonKey: options.singletonKey }),
    ...(options.startAfterSeconds === undefined ? {} : { startAfter: options.startAfterSeconds }),
    ...(options.priority === undefined ? {} : { priority: options.priority }),
  })
}

/** Many of a kind at once, by one statement. */
export async function enqueueAll<Data extends object>(
  boss: PgBoss,
  trx: KyselyTransaction<DB>,
  job: JobDefinition<Data>,
  jobs: readonly { data: Data; singletonKey: string }[],
): Promise<void> {
  if (jobs.length > 0) await boss.insert(job.queue, [...jobs], { db: fromKysely(trx) })
}

/** Does one job, in the trace of who has asked for it. */
export async function runJob<Data extends object>(
  job: JobDefinition<Data>,
  { id, data: sent }: { id: string; data: Data | null },
  handler: (data: Data) => Promise<void>,
): Promise<void> {
  // What the clock asks for carries nothing.
  const { traceparent: parent = null, ...data } = (sent ?? {}) as Data & { traceparent?: string }
  await traced(`job ${job.queue}`, { kind: SpanKind.CONSUMER, parent, attributes: { 'job.id': id } }, () =>
    handler(data as unknown as Data),
  )
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
            await runJob(job, { id, data }, handler)
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
