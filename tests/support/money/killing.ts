/** The API and the worker as processes of their own for a while, on the world's database and by its clock, to be killed. */
import { setTimeout as delay } from 'node:timers/promises'
import { ensureQueues } from '../../../apps/server/src/jobs/boss.ts'
import { handleServiceClockJob } from '../../../apps/server/src/features/sales/renewals/jobs.ts'
import { createProcesses, createRelay, type RunningProcess } from '../processes.ts'
import type { World } from './world.ts'

export type Killing = Awaited<ReturnType<typeof beginKilling>>

/** From here on all accounts ask processes, which may be killed, until `end`. */
export async function beginKilling(world: World, { spares = 1 }: { spares?: number } = {}) {
  const { context, client, env } = world
  await ensureQueues(context.boss, [handleServiceClockJob])
  // What this process has done already; and passes of the clock come when the test says so, never by themselves.
  await client.query(`delete from pgboss.job where name = 'payments.event' and state = 'created'`)
  await client.query(`
    create or replace function no_schedule() returns trigger language plpgsql as $$ begin return null; end $$;
    create or replace trigger no_schedule before insert on pgboss.schedule for each row execute function no_schedule()`)
  const processes = createProcesses(env)
  await processes.setAhead(world.ahead())
  const begin = (part: string, origin: string) =>
    processes.start(`tests/support/money/${part}-process.ts`, { PUBLIC_URL: origin })
  const api = await createRelay((origin) => begin('api', origin), spares)
  const beginWorker = () => begin('worker', api.origin)
  let worker: Promise<RunningProcess> = beginWorker()
  await worker
  let workerKills = 0
  world.providers.notifyAt(api.origin)
  world.askBy((path, init) => fetch(`${api.origin}${path}`, { ...init, signal: AbortSignal.timeout(30_000) }))

  return {
    killApi: api.kill,
    kills: () => ({ api: api.kills(), worker: workerKills }),
    async killWorker(wait: number) {
      const running = await worker
      await delay(wait)
      running.child.kill('SIGKILL')
      await running.ended
      workerKills++
      worker = beginWorker()
      await worker
    },
    async jump(milliseconds: number) {
      await worker
      await world.jump(milliseconds)
      await processes.setAhead(world.ahead())
    },
    /** Has the worker look at the services' clock until all of it is done; one that is killed meanwhile is asked again. */
    async handleClock() {
      for (let tries = 0; tries < 500; tries++) {
        const id = await context.boss.send(handleServiceClockJob.queue, {})
        if (id !== null && (await isDone(id, await worker))) return
        await delay(20)
      }
      throw new Error('the clock is not handled')
    },
    async end() {
      world.askBy(undefined)
      world.providers.notifyAt(world.origin)
      world.providers.move(api.origin, world.origin)
      await api.close()
      await worker.catch(() => undefined)
      processes.killAll()
    },
  }

  async function isDone(id: string, { ended }: RunningProcess): Promise<boolean> {
    let isGone = false
    void ended.then(() => (isGone = true))
    while (!isGone) {
      const job = await context.boss.getJobById(handleServiceClockJob.queue, id)
      if (job?.state === 'completed') return true
      if (job?.state === 'failed' || job?.state === 'cancelled') throw new Error(`the clock: ${job.state}`)
      await delay(15)
    }
    return false
  }
}
