/** Gathers what is found, each rule with a few examples. */
import type { ArchiveInspection, FindingRule } from '@wakestone/protocol/inspection'

const mostDetails = 10

export function createNotes() {
  const found = new Map<FindingRule, Set<string>>()
  return {
    note(rule: FindingRule, detail: string) {
      const details = found.get(rule) ?? new Set()
      found.set(rule, details)
      if (details.size < mostDetails) details.add(detail.replace(/[\p{Cc}\p{Cf}]/gu, '�').slice(0, 200))
    },
    has: (rule: FindingRule) => found.has(rule),
    list: (): ArchiveInspection['findings'] => [...found].map(([rule, details]) => ({ rule, details: [...details] })),
  }
}
export type Notes = ReturnType<typeof createNotes>
