/** What another system has, in the words of this one, before anything is decided about it. */
import type { Language } from '@wakestone/contract/primitives'

export const systems = ['pterodactyl', 'pelican', 'whmcs', 'paymenter'] as const
export type System = (typeof systems)[number]

/** `key` names a thing there for good; `row` is all that is known of it, to see whether it has changed. */
type Known = { key: string; row: object }

export type FoundAccount = Known & {
  email: string
  username: string | null
  language: Language
  /** ISO 3166-1; null: the other system does not know. */
  country: string | null
  passwordHash: string | null
  isVerified: boolean
  /** What of it does not come along, in words. */
  notes: string[]
  /** As the form of invoice data has it; whether it is complete is found out later. */
  taxData: Record<string, unknown> | null
}

export type FoundBalance = Known & {
  accountKey: string
  /** As it is written there. */
  currency: string
  amount: string
}

export type FoundSchedule = {
  name: string
  isActive: boolean
  onlyWhenOnline: boolean
  /** Minute, hour, day, month, day of the week. */
  cron: string
  tasks: { action: string; payload: string; waitSeconds: number }[]
}

export type FoundServer = Known & {
  uuid: string
  name: string
  accountKey: string | undefined
  /** Bytes and cores; null: as many as there are. */
  memory: number | null
  storage: number | null
  cpu: number | null
  egg: string
  variables: Record<string, string>
  isSuspended: boolean
  /** Where players join it there; its own first. */
  addresses: string[]
  sharedWith: { accountKey: string; permissions: string[] }[]
  schedules: FoundSchedule[]
  databases: string[]
  /** Newest first. */
  backups: { uuid: string; name: string; bytes: number }[]
  notes: string[]
}

export type Found = {
  accounts: FoundAccount[]
  balances: FoundBalance[]
  servers: FoundServer[]
  /** About all of it. */
  notes: string[]
}

/** A language of ours; what others write is `en`, `pl_PL` or `german`. */
export function languageOf(text: string | null): Language {
  const word = (text ?? '').toLowerCase()
  if (word === 'polish' || /^pl\b|^pl_/.test(word)) return 'pl'
  return word === 'german' || word === 'deutsch' || /^de\b|^de_/.test(word) ? 'de' : 'en'
}
