/** Mails to account holders, in their language. */
import type { Language } from '@wakestone/contract/primitives'
import { publicUrl, type Settings } from '@wakestone/kit/settings'
import { layoutMail } from '#src/adapters/mail/layout.ts'
import type { LinkPurpose } from './mail-code-repo.ts'
import { factorMailTexts, factorNames } from './factor-mail-texts.ts'
import { accountMailTexts } from './mail-texts.ts'
import type { DigitsPurpose } from './mail-digits-repo.ts'

const textsOf = (language: Language) => ({ ...accountMailTexts[language], ...factorMailTexts[language] })

type Mail = { subject: string; text: string; html: string }

/** A mail around a link that proves the address. */
export function linkMail(
  purpose: LinkPurpose,
  { language, username, link }: { language: Language; username: string; link: string },
): Mail {
  const { subject, title, text, button, foot } = textsOf(language)[purpose]
  return { subject, ...layoutMail({ language, title, text: text({ username }), button: { text: button, link }, foot }) }
}

/** A mail around a code of eight digits, shown in two groups of four. */
export function digitsMail(purpose: DigitsPurpose, { language, digits }: { language: Language; digits: string }): Mail {
  const { subject, title, text, foot } = textsOf(language)[purpose]
  const code = `${digits.slice(0, 4)} ${digits.slice(4)}`
  return { subject, ...layoutMail({ language, title, text: text({}), code, foot }) }
}

/** A change of what guards an account. `name` is a passkey's. */
export type FactorNotice =
  | { kind: 'factor_added' | 'factor_removed'; factor: 'totp' | 'passkey'; name?: string }
  | { kind: 'recovery_codes_new' }

/** What happened to an account, for its owner to know. */
export type Notice = { to: string; language: Language; username: string } & (
  | { kind: 'password_changed' | 'email_changed' | 'session_stolen' | 'account_restored' }
  | { kind: 'account_suspended'; reason: string }
  | { kind: 'new_device'; ip: string; country: string; userAgent: string }
  /** `at`: when the account will be deleted, ISO 8601. */
  | { kind: 'deletion_scheduled'; at: string }
  | FactorNotice
  | { kind: 'recovery_code_used'; left: number }
)

/** Where its button leads, if not to the account. */
const pages: Partial<Record<Notice['kind'], string>> = {
  password_changed: 'forgot-password',
  account_suspended: 'contact',
  account_restored: 'login',
  factor_added: 'account/settings/security',
  factor_removed: 'account/settings/security',
  recovery_codes_new: 'account/settings/security',
  recovery_code_used: 'account/settings/security',
}

function factorName({ factor, name }: { factor: 'totp' | 'passkey'; name?: string }, language: Language): string {
  const kind = factorNames[language][factor]
  return name === undefined ? kind : `${kind} (${name})`
}

export function noticeMail(notice: Notice, settings: Settings): Mail {
  const { language, username, kind } = notice
  const { subject, title, text, button, foot } = textsOf(language)[kind]
  const names = new Intl.DisplayNames(language, { type: 'region' })
  const said =
    notice.kind === 'new_device'
      ? { username, ip: notice.ip, country: names.of(notice.country) ?? notice.country, userAgent: notice.userAgent }
      : notice.kind === 'deletion_scheduled'
        ? { username, at: new Intl.DateTimeFormat(language, { dateStyle: 'long' }).format(new Date(notice.at)) }
        : notice.kind === 'account_suspended'
          ? { username, reason: notice.reason }
          : notice.kind === 'factor_added' || notice.kind === 'factor_removed'
            ? { username, factor: factorName(notice, language) }
            : notice.kind === 'recovery_code_used'
              ? { username, left: notice.left }
              : { username }
  const link = `${publicUrl(settings)}/${language}/${pages[kind] ?? 'account/settings'}`
  return { subject, ...layoutMail({ language, title, text: text(said), button: { text: button, link }, foot }) }
}
