/** Codes with which a mail's reader stops mails of its kind: signed, so that nothing stored opens anything. */
import { DomainError } from '@wakestone/contract/errors'
import {
  isChannelFixed,
  isNotificationKind,
  type NotificationKind,
} from '@wakestone/contract/ground/notification-kinds'
import { isSameText, signCode } from '@wakestone/kit/signed-code'
import type { Context } from '#src/context.ts'
import { inTransaction } from '#src/db/client.ts'
import { saveChoices } from './settings-repo.ts'

type Keys = Pick<Context, 'secrets'>
type Subject = { userId: string; kind: NotificationKind }

/** Good for ever: whoever finds an old mail can still leave. */
export function unsubscribeCode({ secrets }: Keys, { userId, kind }: Subject): string {
  const name = `${userId}.${kind}`
  return signCode(secrets.mailLinks, name, `notification_unsubscribe|${name}`)
}

/** @throws DomainError `no_code` for a forged one. Leaving twice is no error. */
export async function unsubscribeByCode(context: Keys & Pick<Context, 'db'>, given: string): Promise<NotificationKind> {
  const [userId = '', kind = ''] = given.split('.')
  if (!isNotificationKind(kind)) throw new DomainError('no_code')
  if (!isSameText(unsubscribeCode(context, { userId, kind }), given)) throw new DomainError('no_code')
  if (!isChannelFixed(kind, 'mail'))
    await inTransaction(context.db, (trx) => saveChoices(trx, userId, [{ kind, channel: 'mail', wanted: false }]))
  return kind
}
