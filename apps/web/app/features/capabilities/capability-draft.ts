/** Capabilities while they are edited: what is there, what would be set, what would be taken away. */
import type { Capabilities, CapabilityValue } from '@wakestone/contract/capabilities'

export const valueKinds = ['yes', 'no', 'number', 'text'] as const
export type ValueKind = (typeof valueKinds)[number]

export function kindOf(value: CapabilityValue): ValueKind {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return typeof value === 'number' ? 'number' : 'text'
}

/** A value of this kind that comes nearest to the one before. */
export function valueOfKind(kind: ValueKind, before: CapabilityValue): CapabilityValue {
  if (kind === 'yes') return true
  if (kind === 'no') return false
  if (kind === 'number') return Number(before) || 0
  return typeof before === 'boolean' ? '' : String(before)
}

export function changeOf(before: Capabilities, draft: Capabilities): { set: Capabilities; remove: string[] } {
  return {
    set: Object.fromEntries(Object.entries(draft).filter(([name, value]) => before[name] !== value)),
    remove: Object.keys(before).filter((name) => !Object.hasOwn(draft, name)),
  }
}

export function isChanged({ set, remove }: { set: Capabilities; remove: readonly string[] }): boolean {
  return Object.keys(set).length > 0 || remove.length > 0
}
