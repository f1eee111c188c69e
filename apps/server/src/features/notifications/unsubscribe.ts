/** Codes with which a mail's reader stops mails of its kind: signed, so that nothing stored opens anything. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { DomainError } from '@wakestone/contract/errors'
import { isChannelFixed, isNotificationKind, type NotificationKind } from '@wakestone/contract/notification-kinds'
import type { Context } from '#src/context.ts'
import { inTransaction } from '#src/db/client.ts'
import { saveChoices } from './settings-repo.ts'

type Keys = Pick<Context, 'secrets'>
type Subject = { userId: string; kind: NotificationKind }

/** Good for ever: whoever finds an old mail can still leave. */
export function unsubscribeCode({ secrets }: Keys, { userId, kind }: Subject): string {
  const name = `${userId}.${kind}`
  return `${name}.${createHmac('sha256', secrets.mailLinks).update(`notification_unsubscribe|${name}`).digest('base64url')}`
}

/** @throws DomainError `no_code` for a forged one. Leaving twice is no error. */
export async function unsubscribeByCode(context: Keys & Pick<Context, 'db'>, given: string): Promise<NotificationKind> {
  const [userId = '', kind = ''] = given.split('.')
  if (!isNotificationKind(kind)) throw new DomainError('no_code')
  const expected = Buffer.from(unsubscribeCode(context, { userId, kind }))
  const actual = Buffer.from(given)
  if (expected.length !== actual.length || !timingSafeEqual(expected, actual)) throw new DomainError('no_code')
  if (!isChannelFixed(kind, 'mail'))
    await inTransaction(context.db, (trx) => saveChoices(trx, userId, [{ kind, channel: 'mail', wanted: false }]))
  return kind
}
