/** The worker's part in money, done when a test says so, and as often as it takes. */
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { createGateways } from '../../../apps/server/src/adapters/payments/registry.ts'
import type { Context } from '../../../apps/server/src/context.ts'
import { releaseCommissions } from '../../../apps/server/src/features/sales/affiliates/commissions.ts'
import { settleAllDebts } from '../../../apps/server/src/features/money/debts/service.ts'
import { issueDueDocuments } from '../../../apps/server/src/features/invoicing/invoices/issue.ts'
import { handleBills } from '../../../apps/server/src/features/sales/pay-later/service.ts'
import { sendDueRefunds } from '../../../apps/server/src/features/money/refunds/sending.ts'
import { handleReferrals } from '../../../apps/server/src/features/sales/referrals/service.ts'
import { reconcileDay } from '../../../apps/server/src/features/money/reconciliation/service.ts'
import { handleServiceClock } from '../../../apps/server/src/features/sales/renewals/service-clock.ts'
import { findWaitingEvents } from '../../../apps/server/src/features/money/provider-messages/repo.ts'
import { processEvent } from '../../../apps/server/src/features/money/provider-messages/inbox.ts'
import { pollDueOrders } from '../../../apps/server/src/features/money/payments/polling.ts'
import { tidyPayments } from '../../../apps/server/src/features/money/provider-messages/upkeep.ts'
import type { GatewayId } from './payments.ts'
import type { Crashes } from '../crashes.ts'
import type { Providers } from './providers.ts'

type Given = { context: Context; client: pg.Pool; providers: Providers; crashes: Crashes }

export function createWork({ context, client, providers, crashes }: Given) {
  const gateways = createGateways(context.settings)
  /** Until it went through: what a crash has cut off is done again. */
  const insist = async (work: () => Promise<unknown>) => {
    for (let tries = 0; ; tries++) {
      try {
        return await work()
      } catch (error) {
        if (tries > 500) throw error
        await delay(10)
      }
    }
  }
  /** Has orders of these top-ups be asked about now, whenever their turn is. */
  const hurry = async (ids: readonly string[]) =>
    void (await client.query(
      `update payment_orders set next_poll_at = now() where transaction_id = any($1) and next_poll_at > now()`,
      [ids],
    ))
  const pass = async (work: (now: Date) => Promise<unknown>) => insist(() => work(new Date()))

  const works: Promise<void>[] = []
  let turn = 0
  const doWork = async () => {
    for (const id of await findWaitingEvents(context.db, 50)) await processEvent(context, gateways, id)
    while ((await pollDueOrders(context, gateways)) > 0);
  }
  /** Two workers do it all, however many wait for it. */
  const work = (): Promise<void> => {
    const at = turn++ % 2
    works[at] ??= doWork().finally(() => delete works[at])
    return works[at]
  }

  return {
    gateways,
    hurry,
    /**
     * What a worker does within a minute: takes up what came, and asks about orders whose turn it is.
     * @param soon top-ups whose orders are asked about now, whenever their turn is.
     */
    async workOnce(soon: readonly string[] = []) {
      if (soon.length > 0) await hurry(soon)
      await work()
    },
    /** Sends refunds, and asks about those that are under way, whenever their turn is. */
    async sendRefunds() {
      await client.query(
        `update payment_returns set next_try_at = now() where state in ('REQUESTED', 'SENT') and next_try_at > now()`,
      )
      await pass((now) => sendDueRefunds(context, gateways, now))
    },
    /**
     * A pass of the services' clock.
     * @param crash the process ends after so many statements, and another one does what is left.
     */
    async handleClock({ crash }: { crash?: number | undefined } = {}) {
      if (crash !== undefined) {
        crashes.plan(crash)
        await handleServiceClock(context, new Date()).catch(() => undefined)
        await crashes.recover()
      }
      await pass((now) => handleServiceClock(context, now))
    },
    /** And what goes by the clock besides. */
    async handleRest() {
      await pass((now) => handleBills(context, now))
      await pass((now) => sendDueRefunds(context, gateways, now))
      await pass((now) => settleAllDebts(context, now))
      await pass((now) => handleReferrals(context, now))
      await pass((now) => releaseCommissions(context, now))
      await insist(() => tidyPayments(context, gateways))
      // Nobody runs servers here: what would be removed of them is gone at once.
      await client.query(
        'update servers set volume_removed_at = now() where files_deleted_at is not null and volume_removed_at is null',
      )
    },
    /** The nightly comparison of one day with one provider. */
    async compareDay(id: GatewayId, day: Date) {
      const gateway = gateways.find(id)
      if (gateway === undefined) throw new Error(`no gateway ${id}`)
      await insist(() => reconcileDay(context, gateway, { day, now: new Date() }))
    },
    async issueDocuments() {
      while ((await issueDueDocuments(context, new Date(), { limit: 500 })) > 0);
    },
    notificationsUnderWay: () => providers.waiting(),
  }
}
