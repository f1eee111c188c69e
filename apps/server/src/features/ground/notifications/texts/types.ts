import type { NotificationKind } from '@wakestone/contract/ground/notification-kinds'
import type { NotificationAction } from '@wakestone/contract/ground/notification-kinds/kind'

/** What one kind says. `{name}` is a field of it, shown in the way of its format. */
export type KindTexts = {
  /** In the panel and above a push; the subject of the mail. */
  title: string
  /** One or two short sentences, for panel, push and Discord. */
  text: string
  /** Above the text of the mail, where it is not the title. */
  heading?: string
  /** What the mail says instead of `text`, where it has more room. Lines `label⇥value` (a tab) are a table. */
  mail?: string
  /** On the mail's button, where it is not the action's name. */
  button?: string
  /** Small, at the end of the mail. */
  foot?: string
}

export type FootPage = 'settings' | 'terms' | 'paymentTerms'

export type Texts = {
  greeting: string
  /** At the end of mails that can be switched off, before the link that does it. */
  optional: string
  /** Small, at the end of mails. */
  footLinks: Record<'unsubscribe' | FootPage, string>
  /** The first message to a webhook that was connected. */
  webhookGreeting: { title: string; text: string }
  actions: Record<NotificationAction, string>
  /** Of fields that hold one of a few words. */
  words: Record<string, string>
  kinds: Record<NotificationKind, KindTexts>
}
