/** Which backups go: properties of the rule over random histories. */
import type { BackupRule } from '@wakestone/contract/servers/backups'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chooseForgotten, type Kept, removalOf } from './retention.ts'

const hour = 3_600_000
const day = 24 * hour
const now = new Date('2026-11-23T12:00:00Z')
const ago = (milliseconds: number) => new Date(now.getTime() - milliseconds)

let made = 0
const backup = (age: number, more: Partial<Kept> = {}): Kept => ({
  id: `b${++made}`,
  kind: 'auto',
  pinned: false,
  incomplete: false,
  created_at: ago(age),
  verified_at: ago(age),
  damaged_at: null,
  deleted_at: null,
  ...more,
})
const rule: BackupRule = { every_hours: 12, keep_all_hours: 168, keep_daily_days: 7, manual: 3 }

const historyOf = fc.array(
  fc.record({
    age: fc.integer({ min: 0, max: 90 * day }),
    kind: fc.constantFrom('manual', 'auto', 'safety'),
    pinned: fc.boolean(),
    incomplete: fc.boolean(),
    isVerified: fc.boolean(),
    isDamaged: fc.boolean(),
    deleted: fc.option(fc.integer({ min: 0, max: 20 * day })),
  }),
  { maxLength: 40 },
)
const ruleOf = fc.record({
  every_hours: fc.constant(12),
  keep_all_hours: fc.integer({ min: 0, max: 400 }),
  keep_daily_days: fc.integer({ min: 0, max: 60 }),
  manual: fc.constant(3),
})
const build = (entries: typeof historyOf extends fc.Arbitrary<infer Value> ? Value : never) =>
  entries.map(({ age, kind, pinned, incomplete, isVerified, isDamaged, deleted }) =>
    backup(age, {
      kind,
      pinned,
      incomplete,
      verified_at: isVerified ? ago(age) : null,
      damaged_at: isDamaged ? now : null,
      deleted_at: deleted === null ? null : ago(Math.min(age, deleted)),
    }),
  )

test('an automatic one goes only if a younger one that stays is known to be whole and readable', () => {
  fc.assert(
    fc.property(historyOf, ruleOf, (entries, some) => {
      const all = build(entries)
      const gone = new Set(chooseForgotten(all, some, now))
      for (const one of all.filter(
        ({ id, kind, deleted_at }) => gone.has(id) && kind === 'auto' && deleted_at === null,
      ))
        expect(
          all.some(
            (other) =>
              !gone.has(other.id) &&
              other.kind !== 'safety' &&
              other.created_at >= one.created_at &&
              other.verified_at !== null &&
              other.damaged_at === null &&
              other.deleted_at === null &&
              !other.incomplete,
          ),
        ).toBe(true)
    }),
  )
})

test('made by hand, pinned, young and lately deleted ones stay; what is gone once more is the same', () => {
  fc.assert(
    fc.property(historyOf, ruleOf, (entries, some) => {
      const all = build(entries)
      const gone = new Set(chooseForgotten(all, some, now))
      for (const { id, kind, pinned, created_at, deleted_at } of all) {
        const age = now.getTime() - created_at.getTime()
        if (deleted_at !== null) {
          expect(gone.has(id)).toBe(now.getTime() - deleted_at.getTime() > 7 * day)
          continue
        }
        if (kind === 'manual' || pinned) expect(gone.has(id)).toBe(false)
        if (kind === 'auto' && age <= some.keep_all_hours * hour) expect(gone.has(id)).toBe(false)
        if (kind === 'safety' && !pinned) expect(gone.has(id)).toBe(age > 7 * day)
      }
      const left = all.filter(({ id }) => !gone.has(id))
      expect(chooseForgotten(left, some, now)).toEqual([])
    }),
  )
})

test('many are kept for a while, then one of each day', () => {
  const pro: BackupRule = { every_hours: 1, keep_all_hours: 48, keep_daily_days: 60, manual: 50 }
  const hourly = Array.from({ length: 24 * 90 }, (_, index) => backup(index * hour))
  const gone = new Set(chooseForgotten(hourly, pro, now))
  const left = hourly.filter(({ id }) => !gone.has(id))
  expect(left.filter(({ created_at }) => now.getTime() - created_at.getTime() <= 48 * hour)).toHaveLength(49)
  expect(left.length).toBe(49 + 58)
  expect(left.at(-1)?.created_at.toISOString().slice(11)).toBe('00:00:00.000Z')
})

test('without a plan nothing automatic goes, and people are told when what goes does', () => {
  const old = [backup(90 * day), backup(80 * day), backup(10 * day, { kind: 'safety' })]
  expect(chooseForgotten(old, null, now)).toEqual([old[2]!.id])
  expect(removalOf(backup(day, { kind: 'manual' }), rule)).toBeNull()
  expect(removalOf(backup(day, { pinned: true }), rule)).toBeNull()
  expect(removalOf(backup(day), rule)).toEqual(new Date(now.getTime() + 6 * day))
  expect(removalOf(backup(day, { kind: 'safety' }), rule)).toEqual(new Date(now.getTime() + 6 * day))
  expect(removalOf(backup(9 * day, { deleted_at: ago(day) }), rule)).toEqual(new Date(now.getTime() + 6 * day))
})
