import { createGateways } from '#src/adapters/payments/registry.ts'
import type { Context } from '#src/context.ts'
import { settleAllDebts } from '#src/features/money/debts/service.ts'
import { work } from '#src/jobs/boss.ts'
import { sendDueRefunds, sendRefundsJob } from './sending.ts'

export async function registerRefundJobs(context: Context, clock = () => new Date()): Promise<void> {
  const gateways = createGateways(context.settings)
  await work(context, sendRefundsJob, async () => {
    while ((await sendDueRefunds(context, gateways, clock())) > 0);
    await settleAllDebts(context, clock())
  })
  await context.boss.schedule(sendRefundsJob.queue, '* * * * *')
}
