import { expect, test } from 'vitest'
import { localOfUtc } from './day-axis.ts'

test('a day of the calendar stays that day, whatever zone the browser is in', () => {
  const kept = process.env['TZ']
  try {
    for (const zone of ['Europe/Warsaw', 'America/New_York', 'Pacific/Auckland', 'UTC']) {
      process.env['TZ'] = zone
      for (const day of ['2026-03-08', '2026-03-29', '2026-11-20']) {
        const local = localOfUtc(Date.parse(day) / 1000)
        const [year, month, date] = day.split('-').map(Number)
        expect(
          [local.getFullYear(), local.getMonth() + 1, local.getDate(), local.getHours()],
          `${day} ${zone}`,
        ).toEqual([year, month, date, 0])
      }
    }
  } finally {
    if (kept === undefined) delete process.env['TZ']
    else process.env['TZ'] = kept
  }
})
