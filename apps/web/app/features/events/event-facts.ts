/** What an event's data say, sorted into what a person reads at once and what unfolds. */
import { type CrashTag, crashTags } from '@wakestone/contract/values'

/** Facts with words of their own, in the order they are told. */
export const namedFacts = [
  'address',
  'code',
  'signal',
  'crash_count',
  'package_name',
  'product_id',
  'billing_period',
  'engine',
  'engine_version',
  'phase',
  'timeout',
  'flag',
] as const
export type NamedFact = (typeof namedFacts)[number]

export type EventFacts = { named: { name: NamedFact; value: string }[]; reasons: CrashTag[]; lines: string[] }

function isPlain(value: unknown): value is string | number {
  return (typeof value === 'string' && value !== '') || typeof value === 'number'
}

/** Reads what is known; ids and hashes that tell a person nothing are left out. */
export function readFacts(data: Readonly<Record<string, unknown>>): EventFacts {
  const named = namedFacts.flatMap((name) => {
    const value = data[name]
    return isPlain(value) ? [{ name, value: String(value) }] : []
  })
  const reasons = Array.isArray(data['crash_reasons']) ? data['crash_reasons'] : []
  const tags = reasons.map((reason: unknown) =>
    typeof reason === 'object' && reason !== null && 'tag' in reason ? reason.tag : reason,
  )
  const lines = Array.isArray(data['last_logs'])
    ? data['last_logs'].filter((line): line is string => typeof line === 'string')
    : []
  return {
    named,
    reasons: [...new Set(tags.map((tag) => crashTags.find((known) => known === tag) ?? 'unknown'))],
    lines,
  }
}
