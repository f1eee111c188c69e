/** What an event's data say, sorted into what a person reads at once and what unfolds. */
import type { CrashLike } from '#app/features/crash/crash-facts.ts'
import { type AuditEvent, podDeletedCauses } from '@wakestone/contract/ground/event'
import { backupCauses } from '@wakestone/contract/servers/backups'
import { awakeReasons } from '@wakestone/contract/servers/levels'
import { type CrashTag, crashTags } from '@wakestone/contract/values'

/** Facts with words of their own, in the order they are told. */
export const namedFacts = [
  'address',
  'method',
  'second_step',
  'name',
  'domain',
  'port_name',
  'port',
  'player',
  'item',
  'username',
  'email',
  'provider',
  'reason',
  'changed',
  'flag',
  'command',
  'referral_code',
  'code',
  'signal',
  'crash_count',
  'package_name',
  'product_id',
  'billing_period',
  'engine',
  'engine_version',
  'version',
  'cluster',
  'down_seconds',
  'phase',
  'timeout',
  'in_seconds',
  'antibot',
  'world',
  'dimension',
  'path',
  'archive_path',
  'extract_path',
  'url',
  'file_size',
  'total_size',
  'free_bytes',
  'percentage',
  'turned_away',
  'backup_id',
  'backup_made_at',
  'cause',
  'rate',
  'comment',
  'expires',
  'until',
  'scheduled_destruction',
] as const
export type NamedFact = (typeof namedFacts)[number]

/** What was before stands under another name in the data. */
const earlier: Partial<Record<NamedFact, string>> = {
  name: 'old_name',
  domain: 'old_domain',
  port: 'old_port',
  email: 'old_email',
  username: 'old_username',
  engine: 'old_engine',
  product_id: 'old_product',
  cluster: 'old_cluster',
  antibot: 'old_mode',
}
const later: Partial<Record<NamedFact, string>> = {
  name: 'new_name',
  domain: 'new_domain',
  port: 'new_port',
  engine: 'new_engine',
  product_id: 'new_product',
  cluster: 'new_cluster',
  antibot: 'new_mode',
}

const sleptBecause = ['empty', 'session_over'] as const
type CauseText =
  | `events.removedBecause.${(typeof podDeletedCauses)[number]}`
  | `events.sleptBecause.${(typeof sleptBecause)[number]}`
  | `events.wokenBy.${(typeof awakeReasons)[number]}`
  | `backups.cause.${(typeof backupCauses)[number]}`

/** The words of a cause, which are others for each kind of event; undefined: there are none. */
function causeText(action: string, value: string): CauseText | undefined {
  const oneOf = <Known extends string>(list: readonly Known[]) => list.find((known) => known === value)
  if (action === 'SERVER_POD_DELETED') {
    const removed = oneOf(podDeletedCauses)
    return removed && `events.removedBecause.${removed}`
  }
  if (action === 'SERVER_SLEEP') {
    const slept = oneOf(sleptBecause)
    return slept && `events.sleptBecause.${slept}`
  }
  if (action.includes('BACKUP')) {
    const made = oneOf(backupCauses)
    return made && `backups.cause.${made}`
  }
  const woken = oneOf(awakeReasons)
  return woken && `events.wokenBy.${woken}`
}

/** `text`: what stands for the value, of those that only programs know. */
export type Fact = { name: NamedFact; value: string; old?: string; text?: CauseText }
export type EventFacts = {
  named: Fact[]
  /** Where it came from, and with what: of logins and what guards an account. */
  country: string | undefined
  ip: string | undefined
  userAgent: string | undefined
  /** The administrator who acted in somebody else's place. */
  actor: string | undefined
  /** First characters of the API key that it was done with. */
  apiKey: string | undefined
  reasons: CrashTag[]
  /** Of a crash: its first reason with what is known of it. */
  crash: CrashLike | undefined
  /** What became of each setting that was changed. */
  changes: { name: string; old: string; now: string }[]
  lists: string[]
  lines: string[]
}

type Data = Readonly<Record<string, unknown>>

function plain(value: unknown): string | undefined {
  if (Array.isArray(value)) return value.length > 0 && value.every(isShort) ? value.join(', ') : undefined
  return isShort(value) ? String(value) : undefined
}
function isShort(value: unknown): value is string | number {
  return (typeof value === 'string' && value !== '') || typeof value === 'number'
}
const isObject = (value: unknown): value is Data => typeof value === 'object' && value !== null && !Array.isArray(value)
const texts = (value: unknown) => (Array.isArray(value) ? value.filter((line) => typeof line === 'string') : [])

/** What programs tell each other, such as `empty` or `no_room`: no words for people. */
const isCode = (text: string) => /^([a-z]+(_[a-z]+)*|[A-Z]+(_[A-Z]+)*)$/.test(text)

/** The reason of an error where it is a text: what a person or another program wrote. */
export function writtenReason({ code, fields }: NonNullable<AuditEvent['error']>): string | undefined {
  const reason = fields?.['reason']
  if (typeof reason !== 'string' || reason === '') return undefined
  // One word of an administrator is a text as well.
  return code !== 'user_suspended' && isCode(reason) ? undefined : reason
}

function readNamed(data: Data, name: NamedFact): Fact[] {
  const value = plain(data[later[name] ?? name]) ?? plain(data[name])
  const old = plain(data[earlier[name] ?? ''])
  // Given up: there is nothing new in its place.
  if (value === undefined && old !== undefined && data[later[name] ?? ''] === null) return [{ name, value: '–', old }]
  return value === undefined ? [] : [{ name, value, ...(old === undefined ? {} : { old }) }]
}

function readChanges({ before, after }: Data): EventFacts['changes'] {
  if (!isObject(before) || !isObject(after)) return []
  const show = (value: unknown) => (value === undefined || value === null ? '–' : JSON.stringify(value))
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .map((name) => ({ name, old: show(before[name]), now: show(after[name]) }))
    .filter(({ old, now }) => old !== now)
}

function readCrash(data: Data): CrashLike | undefined {
  const [first] = Array.isArray(data['crash_reasons']) ? (data['crash_reasons'] as unknown[]) : []
  if (!isObject(first) || typeof first['tag'] !== 'string') return undefined
  const { code, signal } = data
  return {
    tag: first['tag'],
    details: isObject(first['details']) ? first['details'] : {},
    exit: { code: typeof code === 'number' ? code : null, signal: typeof signal === 'string' ? signal : null },
  }
}

/** A cause without words is left out, and that of a restore: it is the one of the copy which is made first. */
function inWords(action: string, fact: Fact): Fact[] {
  const text = action === 'SERVER_RESTORE_BACKUP' ? undefined : causeText(action, fact.value)
  return text === undefined ? [] : [{ ...fact, text }]
}

/** Reads what is known; ids and hashes that tell a person nothing are left out. */
export function readFacts(action: string, given: Data): EventFacts {
  const data = action === 'USER_SET_REFERRER' ? { referral_code: given['code'] } : given
  const reasons = Array.isArray(data['crash_reasons']) ? data['crash_reasons'] : []
  const tags = reasons.map((reason: unknown) => (isObject(reason) && 'tag' in reason ? reason['tag'] : reason))
  return {
    named: namedFacts
      .flatMap((name) => readNamed(data, name))
      // A state at the payment provider, unless somebody gave a reason.
      .filter(({ name, value }) => !(action === 'USER_PAYMENT_RETURN_END' && name === 'reason' && isCode(value)))
      // As every end that was asked for has it.
      .filter(({ name, value }) => !(action === 'GAME_STOPPED' && name === 'code' && value === '0'))
      .flatMap((fact) => (fact.name === 'cause' ? inWords(action, fact) : [fact])),
    country: plain(data['country_code']),
    ip: plain(data['ip']),
    userAgent: plain(data['user_agent']),
    actor: isObject(data['actor']) ? plain(data['actor']['username']) : undefined,
    apiKey: isObject(data['api_key']) ? plain(data['api_key']['hint']) : undefined,
    crash: readCrash(data),
    reasons: [...new Set(tags.map((tag) => crashTags.find((known) => known === tag) ?? 'unknown'))],
    changes: readChanges(data),
    lists: [...texts(data['files']), ...texts(data['extracted_files']), ...texts(data['file_paths'])],
    lines: texts(data['last_logs']),
  }
}
