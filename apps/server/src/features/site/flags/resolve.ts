/**
 * Which value of a flag somebody is given; pure.
 */
import { createHash } from 'node:crypto'
import type { EvaluationContext, JsonValue, ResolutionDetails } from '@openfeature/server-sdk'
import { StandardResolutionReasons as reasons } from '@openfeature/server-sdk'
import type { FlagRule } from '@wakestone/contract/site/flags'

export type LoadedFlag = { type: string; enabled: boolean; value: JsonValue; rules: readonly FlagRule[] }

/** Where somebody stands in a flag's crowd: 0 to 100, the same at every time and in every process. */
export function shareOf(flagKey: string, targetingKey: string): number {
  const hash = createHash('sha256').update(`${flagKey}:${targetingKey}`).digest()
  return (hash.readUInt32BE(0) / 2 ** 32) * 100
}

function isMeant(flagKey: string, rule: FlagRule, context: EvaluationContext): boolean {
  const { targetingKey, country, language, userId } = context
  if (rule.countries !== undefined && !rule.countries.includes(String(country))) return false
  if (rule.languages !== undefined && !rule.languages.some((one) => one === language)) return false
  if (rule.users !== undefined && !rule.users.includes(String(userId))) return false
  if (rule.percentage === undefined) return true
  return targetingKey !== undefined && targetingKey !== '' && shareOf(flagKey, targetingKey) < rule.percentage
}

export function resolveFlag(
  flagKey: string,
  flag: LoadedFlag,
  { off, context }: { off: JsonValue; context: EvaluationContext },
): ResolutionDetails<JsonValue> {
  if (!flag.enabled) return { value: off, reason: reasons.DISABLED }
  const index = flag.rules.findIndex((rule) => isMeant(flagKey, rule, context))
  const rule = flag.rules[index]
  if (rule === undefined) return { value: flag.value, reason: reasons.DEFAULT, variant: 'value' }
  const reason = rule.percentage === undefined ? reasons.TARGETING_MATCH : reasons.SPLIT
  return { value: rule.value, reason, variant: `rule-${index + 1}` }
}
