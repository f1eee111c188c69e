/** Amounts, dates, sizes and durations as people of each language write them. */
import type { Language } from './languages.ts'
import { localeOf } from './languages.ts'

/** Making a formatter of the platform costs as much as formatting a thousand values: each is made once. */
function once<Options extends object, Formatter>(
  make: (locale: string, options: Options) => Formatter,
): (locale: string, options: Options) => Formatter {
  const made = new Map<string, Formatter>()
  return (locale, options) => {
    const key = locale + JSON.stringify(options)
    const known = made.get(key)
    if (known !== undefined) return known
    if (made.size >= formattersKept) made.clear()
    const formatter = make(locale, options)
    made.set(key, formatter)
    return formatter
  }
}
/** Time zones come from visitors. */
const formattersKept = 500

/** The platform writes some languages’ minus as a hyphen, at which a line may break. */
const withMinus = (text: string) => text.replace('-', '\u2212')

const numberFormat = once((locale, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options))
const dateFormat = once((locale, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options))
const relativeFormat = once(
  (locale, options: Intl.RelativeTimeFormatOptions) => new Intl.RelativeTimeFormat(locale, options),
)
const displayNames = once((locale, options: Intl.DisplayNamesOptions) => new Intl.DisplayNames(locale, options))

/** Name of a country by its code. */
export const countryName = (code: string, language: Language): string | undefined =>
  displayNames(localeOf[language], { type: 'region' }).of(code)

/** Amount in minor units with its currency: 1844 PLN → `18,44 zł`. `trim` leaves `,00` out: `20 zł`. */
export function formatMoney(money: { amount: number; currency: string }, language: Language, trim = false): string {
  const formatter = numberFormat(localeOf[language], {
    style: 'currency',
    currency: money.currency,
    trailingZeroDisplay: trim ? 'stripIfInteger' : 'auto',
  })
  return withMinus(formatter.format(money.amount / 10 ** currencyDigits(money.currency)))
}

/** An amount as it is typed into a field, without its currency: 184400 PLN → `1844,00`. */
export function formatTyped(money: { amount: number; currency: string }, language: Language): string {
  const digits = currencyDigits(money.currency)
  return numberFormat(localeOf[language], {
    useGrouping: false,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(money.amount / 10 ** digits)
}

/** An amount for an hour of use: one digit more than the currency has, as an hour costs less than its smallest coin. */
export function formatHourly(money: { amount: number; currency: string }, language: Language): string {
  const digits = currencyDigits(money.currency)
  const formatter = numberFormat(localeOf[language], {
    style: 'currency',
    currency: money.currency,
    minimumFractionDigits: digits + 1,
    maximumFractionDigits: digits + 1,
  })
  return withMinus(formatter.format(money.amount / 10 ** digits))
}

/** Decimal places of a currency. */
export function currencyDigits(currency: string): number {
  return numberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
}

/** A fraction as a percentage: 0.23 → `23 %`. */
export function formatPercent(fraction: number, language: Language): string {
  const formatter = numberFormat(localeOf[language], { style: 'percent', maximumFractionDigits: 1 })
  return withMinus(formatter.format(fraction)).replace('\u00a0%', '\u202f%')
}

export function formatNumber(value: number, language: Language, digits = 0): string {
  const formatter = numberFormat(localeOf[language], { maximumFractionDigits: digits, minimumFractionDigits: digits })
  return withMinus(formatter.format(value))
}

/** `d MMMM yyyy HH:mm`: 12 grudnia 2026 19:05. */
export function formatDateTime(time: string | number | Date, language: Language, timeZone: string): string {
  return `${formatDate(time, language, timeZone)} ${formatTime(time, language, timeZone)}`
}

/** The same where there is little room: 12 gru 2026 19:05. */
export function formatShortDateTime(time: string | number | Date, language: Language, timeZone: string): string {
  const day = dateFormat(localeOf[language], { day: 'numeric', month: 'short', year: 'numeric', timeZone })
  return `${day.format(new Date(time))} ${formatTime(time, language, timeZone)}`
}

/** Day and month of a calendar day, which is its midnight in UTC. */
export function formatDay(time: string | number | Date, language: Language): string {
  return dateFormat(localeOf[language], { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(new Date(time))
}

/** The day of a moment, short and without its year. */
export function formatDayMonth(time: string | number | Date, language: Language, timeZone: string): string {
  return dateFormat(localeOf[language], { day: 'numeric', month: 'short', timeZone }).format(new Date(time))
}

/** Name of a day of the week, 0 = Sunday. */
export function formatWeekday(day: number, language: Language): string {
  // 4 January 1970 was a Sunday.
  const date = new Date((day + 3) * 86_400_000)
  return dateFormat(localeOf[language], { weekday: 'long', timeZone: 'UTC' }).format(date)
}

export function formatDate(time: string | number | Date, language: Language, timeZone: string): string {
  const parts = dateFormat(localeOf[language], {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone,
  }).formatToParts(new Date(time))
  const part = (type: string) => parts.find((candidate) => candidate.type === type)?.value ?? ''
  return `${part('day')}${language === 'de' ? '.' : ''} ${part('month')} ${part('year')}`
}

/** `HH:mm`, or `HH:mm:ss`. */
export function formatTime(
  time: string | number | Date,
  language: Language,
  timeZone: string,
  withSeconds = false,
): string {
  return dateFormat(localeOf[language], {
    hour: '2-digit',
    minute: '2-digit',
    ...(withSeconds ? { second: '2-digit' } : {}),
    hourCycle: 'h23',
    timeZone,
  }).format(new Date(time))
}

const units = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

/** `3 hours ago`, `in 2 days`. */
export function formatRelative(time: string | number | Date, language: Language, now = Date.now()): string {
  const seconds = (new Date(time).getTime() - now) / 1000
  const formatter = relativeFormat(localeOf[language], { numeric: 'auto' })
  for (const [unit, size] of units) {
    if (Math.abs(seconds) >= size) return formatter.format(Math.trunc(seconds / size), unit)
  }
  return formatter.format(Math.trunc(seconds), 'second')
}

/** Short, and the same for one and for many: English would have `1 hr` and `3 hrs`. */
/** Where a language's own abbreviation is not what its readers write: `2 hr`, `34 sek.`, `1 Tg.`. */
const ownUnits: Record<Language, Partial<Record<'hour' | 'minute' | 'second', string>>> = {
  en: { hour: 'h', minute: 'min', second: 's' },
  pl: { second: 's' },
  de: {},
}

function writeUnit(count: number, unit: 'day' | 'hour' | 'minute' | 'second', language: Language): string {
  const own = unit === 'day' ? undefined : ownUnits[language][unit]
  if (own !== undefined) return `${numberFormat(localeOf[language], {}).format(count)}\u00a0${own}`
  const unitDisplay = unit === 'day' ? 'long' : 'short'
  return numberFormat(localeOf[language], { style: 'unit', unit, unitDisplay }).format(count)
}

/** How long something takes, in its two largest units: `2 h 14 min`. */
export function formatDuration(seconds: number, language: Language): string {
  const whole = Math.max(0, Math.floor(seconds))
  const sizes = [
    ['day', 86_400],
    ['hour', 3600],
    ['minute', 60],
    ['second', 1],
  ] as const
  const first = Math.max(
    0,
    sizes.findIndex(([, size]) => whole >= size),
  )
  const start = whole === 0 ? sizes.length - 1 : first
  const parts: string[] = []
  let rest = whole
  for (const [unit, size] of sizes.slice(start, start + 2)) {
    const count = Math.floor(rest / size)
    rest -= count * size
    if (count === 0 && parts.length > 0) continue
    parts.push(writeUnit(count, unit, language))
  }
  return parts.join(' ')
}

const binaryUnits = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const

/** Bytes in binary units: 2147483648 → `2 GiB`. */
export function formatBytes(bytes: number, language: Language): string {
  const step = bytes < 1 ? 0 : Math.min(binaryUnits.length - 1, Math.floor(Math.log2(bytes) / 10))
  const value = bytes / 1024 ** step
  const number = numberFormat(localeOf[language], {
    maximumFractionDigits: value < 10 && step > 0 ? 1 : 0,
  }).format(value)
  return `${number}\u00a0${binaryUnits[step]}`
}
