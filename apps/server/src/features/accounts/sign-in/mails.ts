/** Mails around a link or a code that opens something: only the mailbox ever holds it. */
import type { Language } from '@wakestone/contract/primitives'
import { type KindMail, writeMail } from '#src/features/ground/notifications/service.ts'
import type { LinkPurpose } from './mail-code-repo.ts'
import type { DigitsPurpose } from './mail-digits-repo.ts'

const linkKinds = {
  confirm_email: 'ACCOUNT_EMAIL_CONFIRM',
  change_email: 'ACCOUNT_EMAIL_CHANGE',
  reset_password: 'RESET_PASSWORD',
} as const satisfies Record<LinkPurpose, string>

/** A mail around a link that proves the address. */
export function linkMail(
  purpose: LinkPurpose,
  { language, username, link }: { language: Language; username: string; link: string },
): KindMail {
  return writeMail(linkKinds[purpose], { language, username, fields: { link } })
}

/** A mail around a code of eight digits, shown in two groups of four. `isNew`: there is no account with the address. */
export function digitsMail(
  purpose: DigitsPurpose,
  { language, digits, isNew }: { language: Language; digits: string; isNew: boolean },
): KindMail {
  const kinds = {
    login: isNew ? 'FAST_REGISTER' : 'FAST_LOGIN',
    delete_account: 'ACCOUNT_DELETE_CONFIRM',
    step_up: 'STEP_UP',
  } as const satisfies Record<DigitsPurpose, string>
  return writeMail(kinds[purpose], { language, fields: { code: `${digits.slice(0, 4)} ${digits.slice(4)}` } })
}
