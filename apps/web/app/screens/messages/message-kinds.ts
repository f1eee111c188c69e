import type { FigureName } from '#app/ui/figures.ts'

type Kind = {
  tone: 'plain' | 'good' | 'bad'
  figure: FigureName
  /** The one next step. */
  next: 'home' | 'login' | 'servers'
}

/** Every message that has an address: what the product's mails and redirects lead to. */
export const messageKinds = {
  register: { tone: 'plain', figure: 'moth', next: 'home' },
  'logged-out': { tone: 'plain', figure: 'cat', next: 'login' },
  'email-confirmed': { tone: 'good', figure: 'lantern', next: 'servers' },
  'email-change-sent': { tone: 'plain', figure: 'moth', next: 'servers' },
  'email-changed': { tone: 'good', figure: 'lantern', next: 'login' },
  'password-reset-sent': { tone: 'plain', figure: 'moth', next: 'login' },
  'password-changed': { tone: 'good', figure: 'lantern', next: 'login' },
  'link-expired': { tone: 'bad', figure: 'owl', next: 'login' },
  'contact-sent': { tone: 'good', figure: 'moth', next: 'home' },
  'newsletter-sent': { tone: 'plain', figure: 'moth', next: 'home' },
  'newsletter-confirmed': { tone: 'good', figure: 'lantern', next: 'home' },
  'newsletter-left': { tone: 'plain', figure: 'sheep', next: 'home' },
  'account-deletion-sent': { tone: 'plain', figure: 'moth', next: 'home' },
  'account-deletion-scheduled': { tone: 'bad', figure: 'sheep', next: 'home' },
  'account-deletion-cancelled': { tone: 'good', figure: 'lantern', next: 'servers' },
} as const satisfies Record<string, Kind>

type MessageCode = keyof typeof messageKinds
export function isMessageCode(code: string | undefined): code is MessageCode {
  return code !== undefined && Object.hasOwn(messageKinds, code)
}
