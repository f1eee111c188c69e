/** Which backups go: the one rule for the worker and for what people are shown. Pure. */
import { type BackupKind, type BackupRule, deletedDays, safetyDays } from '@wakestone/contract/servers/backups'

export type Kept = {
  id: string
  kind: BackupKind
  pinned: boolean
  incomplete: boolean
  created_at: Date
  verified_at: Date | null
  damaged_at: Date | null
  deleted_at: Date | null
}

const hour = 3_600_000
const day = 24 * hour

/** Whether nothing is missing in it, as far as anybody knows. */
const isSound = (backup: Kept) =>
  backup.verified_at !== null && backup.damaged_at === null && backup.deleted_at === null && !backup.incomplete

/**
 * Ids of those whose time is over. An automatic one stays, however old, until a younger one is known to be readable.
 * @param rule null: the plan has no backups (any more); those that are there stay
 */
export function chooseForgotten(backups: readonly Kept[], rule: BackupRule | null, now: Date): string[] {
  const age = (since: Date) => now.getTime() - since.getTime()
  const forgotten = backups.filter(({ kind, pinned, created_at, deleted_at }) =>
    deleted_at === null
      ? kind === 'safety' && !pinned && age(created_at) > safetyDays * day
      : age(deleted_at) > deletedDays * day,
  )
  if (rule === null) return forgotten.map(({ id }) => id)
  const youngestFirst = backups
    .filter(({ deleted_at }) => deleted_at === null)
    .toSorted((one, other) => other.created_at.getTime() - one.created_at.getTime())
  const firstOfDays = findFirstOfDays(youngestFirst)
  let hasSuccessor = false
  for (const backup of youngestFirst) {
    const { id, kind, pinned, created_at } = backup
    if (kind === 'auto' && !pinned && hasSuccessor) {
      const isYoung = age(created_at) <= rule.keep_all_hours * hour
      const standsForDay = age(created_at) <= rule.keep_daily_days * day && firstOfDays.has(id)
      if (!isYoung && !standsForDay) {
        forgotten.push(backup)
        continue
      }
    }
    // Safety backups go soon: none of them is a reason to let another go.
    if (kind !== 'safety' && isSound(backup)) hasSuccessor = true
  }
  return forgotten.map(({ id }) => id)
}

/** Of each day (UTC) the first automatic one that is sound, or else the first. */
function findFirstOfDays(youngestFirst: readonly Kept[]): Set<string> {
  const firsts = new Map<string, Kept>()
  for (const backup of youngestFirst) {
    if (backup.kind !== 'auto') continue
    const date = backup.created_at.toISOString().slice(0, 10)
    const first = firsts.get(date)
    if (first === undefined || isSound(backup) || !isSound(first)) firsts.set(date, backup)
  }
  return new Set([...firsts.values()].map(({ id }) => id))
}

/** When one goes by itself; null: it stays, or that depends on those to come. */
export function removalOf(
  { kind, pinned, created_at, deleted_at }: Pick<Kept, 'kind' | 'pinned' | 'created_at' | 'deleted_at'>,
  rule: BackupRule | null,
): Date | null {
  if (deleted_at !== null) return new Date(deleted_at.getTime() + deletedDays * day)
  if (pinned || kind === 'manual') return null
  if (kind === 'safety') return new Date(created_at.getTime() + safetyDays * day)
  return rule === null
    ? null
    : new Date(created_at.getTime() + Math.max(rule.keep_all_hours * hour, rule.keep_daily_days * day))
}
