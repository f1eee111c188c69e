/**
 * What is kept for a time only: removed in small pieces, the oldest first. Each piece is a statement of its own, so that
 * nobody waits for a lock and a night that was missed is made up for.
 */
import type { Context } from '#src/context.ts'
import type { Handle } from '#src/db/client.ts'
import { dropEventsBefore } from '#src/features/ground/events/service.ts'
import { dropMessagesBefore as dropMessagesOfWebhooksBefore } from '#src/features/ground/webhooks/service.ts'
import { forgetPayers } from '#src/features/money/payments/service.ts'
import { forgetBuyers } from '#src/features/sales/shop/service.ts'
import { dropMessagesBefore } from '#src/features/money/provider-messages/service.ts'
import { dropEndedConsentsBefore } from '#src/features/site/newsletter/service.ts'
import { dropDeliveriesBefore, dropNotificationsBefore } from '#src/features/ground/notifications/service.ts'
import { dropSessionsBefore } from '#src/features/servers/players/service.ts'
import { dropLoginFailuresBefore } from '#src/features/accounts/guesses/service.ts'

const rowsAtOnce = 5000

/** Removes at most `limit` records older than a moment. @returns how many. */
type Drop = (db: Handle, before: Date, limit: number) => Promise<number>

export async function clearOldRecords(
  { db, settings, logger }: Pick<Context, 'db' | 'settings' | 'logger'>,
  now = new Date(),
): Promise<void> {
  const kept = [
    { what: 'audit events', before: monthsBefore(now, settings.KEEP_EVENTS_MONTHS), drop: dropEventsBefore },
    {
      what: 'failed logins',
      before: daysBefore(now, settings.KEEP_LOGIN_FAILURES_DAYS),
      drop: dropLoginFailuresBefore,
    },
    {
      what: 'notifications',
      before: monthsBefore(now, settings.KEEP_NOTIFICATIONS_MONTHS),
      drop: dropNotificationsBefore,
    },
    {
      what: 'webhook messages',
      before: daysBefore(now, settings.KEEP_DELIVERIES_DAYS),
      drop: dropMessagesOfWebhooksBefore,
    },
    { what: 'deliveries', before: daysBefore(now, settings.KEEP_DELIVERIES_DAYS), drop: dropDeliveriesBefore },
    {
      what: 'messages of payment providers',
      before: daysBefore(now, settings.KEEP_GATEWAY_MESSAGES_DAYS),
      drop: dropMessagesBefore,
    },
    {
      what: 'sessions of players',
      before: daysBefore(now, settings.KEEP_PLAYER_SESSIONS_DAYS),
      drop: dropSessionsBefore,
    },
    {
      what: 'buyers of shops',
      before: daysBefore(now, settings.KEEP_SHOP_BUYERS_DAYS),
      drop: forgetBuyers,
    },
    { what: 'payers of shops', before: daysBefore(now, settings.KEEP_SHOP_BUYERS_DAYS), drop: forgetPayers },
    { what: 'consents', before: monthsBefore(now, settings.KEEP_CONSENTS_MONTHS), drop: dropEndedConsentsBefore },
  ] satisfies { what: string; before: Date; drop: Drop }[]
  for (const { what, before, drop } of kept) {
    let dropped = 0
    for (let last = rowsAtOnce; last === rowsAtOnce; dropped += last) last = await drop(db, before, rowsAtOnce)
    if (dropped > 0) logger.info({ what, dropped }, 'old records cleared')
  }
}

function monthsBefore(now: Date, months: number): Date {
  const before = new Date(now)
  before.setUTCMonth(before.getUTCMonth() - months)
  // And a day: PostgreSQL, which refuses what is too young, may count a leap year or a changed clock otherwise.
  before.setUTCDate(before.getUTCDate() - 1)
  return before
}

const daysBefore = (now: Date, days: number) => new Date(now.getTime() - days * 86_400_000)
