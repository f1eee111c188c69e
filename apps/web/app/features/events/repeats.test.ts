import { expect, test } from 'vitest'
import type { AuditEvent } from '@wakestone/contract/ground/event'
import { joinRepeats } from './repeats.ts'

const dayOf = (time: string) => time.slice(0, 10)
let count = 0
const event = (more: Partial<AuditEvent>) =>
  ({
    id: String((count += 1)),
    action: 'SERVER_SHOP_EDIT',
    created_at: '2026-11-26T13:12:00Z',
    success: true,
    level: 20,
    error: null,
    executor: null,
    person: null,
    data: {},
    ...more,
  }) as AuditEvent
const times = (events: AuditEvent[]) => joinRepeats(events, dayOf).map((row) => row.times)

test('neighbours that read alike are one row', () => {
  expect(times([event({}), event({}), event({}), event({ action: 'SERVER_BACKUP' })])).toEqual([3, 1])
})

test('another day, another person, a failure or a warning stands alone', () => {
  expect(times([event({}), event({ created_at: '2026-11-25T13:12:00Z' })])).toEqual([1, 1])
  expect(times([event({}), event({ executor: { id: 'x', username: 'kuba' } as AuditEvent['executor'] })])).toEqual([
    1, 1,
  ])
  expect(times([event({ success: false }), event({ success: false })])).toEqual([1, 1])
  expect(times([event({ level: 30 }), event({ level: 30 })])).toEqual([1, 1])
})

test('what lies between keeps them apart', () => {
  expect(times([event({}), event({ action: 'SERVER_BACKUP' }), event({})])).toEqual([1, 1, 1])
})
