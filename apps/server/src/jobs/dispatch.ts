/**
 * Many jobs of one kind at a time. A notice has one look at what waits, for as many as there is room for; `work` has each
 * of its places look by itself, which for a queue that is never empty costs PostgreSQL more than the jobs do.
 */
import { createHash } from 'node:crypto'
import type { PgBoss } from 'pg-boss'
import type { Context } from '#src/context.ts'
import { beforeStop, type JobDefinition, runJob } from './boss.ts'

/** On which pg-boss tells of new jobs, by the name of their queue. */
const channel = `pgboss_${createHash('sha224').update('pgboss').digest('hex').slice(0, 24)}`
/** For notices that were lost, and jobs whose time comes without any. */
const lookMilliseconds = 2_000

/**
 * Has this process do jobs until the queue is stopped, which waits for those that were begun. A handler that throws has
 * its job tried again, as far as its kind allows.
 */
export async function dispatch<Data extends object>(
  { boss, logger, channels }: Pick<Context, 'logger' | 'channels'> & { boss: PgBoss },
  job: JobDefinition<Data>,
  handler: (data: Data) => Promise<void>,
  { concurrency }: { concurrency: number },
): Promise<{ isBehind(): boolean }> {
  const active = new Set<Promise<void>>()
  let isStopped = false
  let isLooking = false
  /** Whether there may be more than was found. */
  let isAsked = false

  async function look(): Promise<void> {
    isAsked = true
    if (isLooking) return
    isLooking = true
    try {
      while (isAsked && !isStopped && active.size < concurrency) {
        isAsked = false
        const room = concurrency - active.size
        const found = await boss.fetch<Data>(job.queue, { batchSize: room })
        if (found.length === room) isAsked = true
        for (const { id, data } of found) begin(id, data)
      }
    } catch (error) {
      if (!isStopped) logger.warn({ error, queue: job.queue }, 'cannot look for jobs now')
    } finally {
      isLooking = false
    }
  }

  function begin(id: string, data: Data) {
    const done = run(id, data).finally(() => {
      active.delete(done)
      if (isAsked) void look()
    })
    active.add(done)
  }

  async function run(id: string, data: Data): Promise<void> {
    try {
      await runJob(job, { id, data }, handler)
      await boss.complete(job.queue, id)
    } catch (error) {
      logger.warn({ error, queue: job.queue, job: id }, 'job failed')
      // Where that cannot be written either, it is over when its time is.
      await boss.fail(job.queue, id, { message: (error as Error).message }).catch(() => undefined)
    }
  }

  const again = () => void look()
  const listener = await channels.listen(channel, {
    onMessage: (queue) => queue === job.queue && again(),
    onReconnect: again,
  })
  const timer = setInterval(again, lookMilliseconds)
  beforeStop(boss, async () => {
    isStopped = true
    clearInterval(timer)
    await Promise.all(active)
    await listener.close()
  })
  again()
  return {
    /** Whether more wait than there is room for. */
    isBehind: () => isAsked && active.size >= concurrency,
  }
}
