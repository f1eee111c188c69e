/** Rules of a flag as form fields: the conditions, and the value for those who meet them. */
import type { FlagRule } from '@wakestone/contract/site/flags'
import { randomId } from '#app/api/random-id.ts'
import { draftOf, type FlagDraft, type FlagField, valueOf } from './flag-fields.ts'

export type RuleDraft = {
  /** Stays with it when rules change places. */
  key: string
  countries: string[]
  languages: string[]
  /** IDs, one per line. */
  users: string
  percentage: string
  value: FlagDraft
}

/** @param rule without conditions for a new one, whose value is to be filled in */
export function ruleDraftOf(
  fields: readonly FlagField[],
  rule: Pick<FlagRule, 'value'> & Partial<FlagRule>,
  timeZone: string,
): RuleDraft {
  return {
    key: randomId(),
    countries: rule.countries ?? [],
    languages: rule.languages ?? [],
    users: (rule.users ?? []).join('\n'),
    percentage: rule.percentage === undefined ? '' : String(rule.percentage),
    value: draftOf(fields, rule.value, timeZone),
  }
}

/** @returns the rule, perhaps not a good one: a condition that is empty is left out */
export function ruleOf(fields: readonly FlagField[], draft: RuleDraft, timeZone: string): Record<string, unknown> {
  const { countries, languages, percentage } = draft
  const users = draft.users.split(/\s+/).filter(Boolean)
  return {
    ...(countries.length > 0 && { countries }),
    ...(languages.length > 0 && { languages }),
    ...(users.length > 0 && { users }),
    ...(percentage.trim() !== '' && { percentage: Number(percentage) }),
    value: valueOf(fields, draft.value, timeZone),
  }
}

/** @returns the list with one entry at another place; as it is where that place is outside */
export function move<Each>(list: readonly Each[], from: number, to: number): Each[] {
  const [moved] = list.slice(from, from + 1)
  if (moved === undefined || to < 0 || to >= list.length) return [...list]
  return list.toSpliced(from, 1).toSpliced(to, 0, moved)
}
