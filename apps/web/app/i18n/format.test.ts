import { describe, expect, it } from 'vitest'
import {
  formatBytes,
  formatDateTime,
  formatDuration,
  formatMoney,
  formatPercent,
  formatRelative,
  formatShortDateTime,
  formatTyped,
} from './format.ts'
import { parseAmount } from '#app/features/wallets/parse-amount.ts'
import { pathInLanguage } from './languages.ts'

const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ')

describe('formats', () => {
  it('write amounts as each language does', () => {
    const amount = { amount: 184_400, currency: 'PLN' }
    expect(plain(formatMoney(amount, 'pl'))).toBe('1844,00 zł')
    expect(plain(formatMoney(amount, 'de'))).toBe('1.844,00 PLN')
    expect(plain(formatMoney(amount, 'en', true))).toBe('PLN 1,844')
    expect(plain(formatMoney({ amount: -1, currency: 'EUR' }, 'de'))).toBe('−0,01 €')
  })

  it('write amounts as they are typed, so that they are read as the same', () => {
    expect(formatTyped({ amount: 184_400, currency: 'PLN' }, 'de')).toBe('1844,00')
    for (const language of ['en', 'pl', 'de'] as const)
      for (const amount of [0, 1, 99, 5000, 123_456_789])
        expect(parseAmount(formatTyped({ amount, currency: 'EUR' }, language), 2)).toBe(amount)
    expect(formatTyped({ amount: 7, currency: 'JPY' }, 'en')).toBe('7')
  })

  it('write dates as d MMMM yyyy HH:mm', () => {
    const time = '2026-12-12T18:05:00Z'
    expect(formatDateTime(time, 'pl', 'Europe/Warsaw')).toBe('12 grudnia 2026 19:05')
    expect(formatShortDateTime(time, 'pl', 'Europe/Warsaw')).toBe('12 gru 2026 19:05')
    expect(formatDateTime(time, 'en', 'UTC')).toBe('12 December 2026 18:05')
    expect(formatDateTime(time, 'de', 'Europe/Berlin')).toBe('12. Dezember 2026 19:05')
    expect(formatDateTime('2026-01-05T23:30:00Z', 'en', 'UTC')).toBe('5 January 2026 23:30')
  })

  it('write sizes, durations, rates and distances in time', () => {
    expect(plain(formatBytes(2 * 1024 ** 3, 'pl'))).toBe('2 GiB')
    expect(plain(formatBytes(1.5 * 1024 ** 2, 'pl'))).toBe('1,5 MiB')
    expect(plain(formatBytes(0, 'en'))).toBe('0 B')
    expect(plain(formatDuration(8040, 'pl'))).toBe('2 godz. 14 min')
    expect(plain(formatDuration(694, 'pl'))).toBe('11 min 34 s')
    expect(plain(formatDuration(86_400, 'de'))).toBe('1 Tag')
    expect(plain(formatDuration(0, 'en'))).toBe('0 s')
    expect(plain(formatDuration(14_340, 'en'))).toBe('3 h 59 min')
    expect(plain(formatDuration(172_800 + 3600, 'en'))).toBe('2 days 1 h')
    expect(plain(formatPercent(0.23, 'de'))).toBe('23 %')
    expect(formatRelative(0, 'pl', 3 * 3600 * 1000)).toBe('3 godziny temu')
  })
})

describe('languages', () => {
  it('change the first part of an address only', () => {
    expect(pathInLanguage('/pl/create?name=pl', 'de')).toBe('/de/create?name=pl')
    expect(pathInLanguage('/pl', 'en')).toBe('/en')
    expect(pathInLanguage('/pl#plans', 'en')).toBe('/en#plans')
    expect(pathInLanguage('/plan', 'en')).toBe('/plan')
    expect(pathInLanguage('/s/pl', 'en')).toBe('/s/pl')
  })
})
