import { useMemo } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useRouteLoaderData } from 'react-router'
import { languages } from '@wakestone/contract/values'
import * as format from './format.ts'
import type { Language } from './languages.ts'
import { defaultTimeZone } from './time-zone.ts'

/** Language of this page. It does not change while the page lives. */
export function useLanguage(): Language {
  return useTranslation().i18n.language as Language
}

/** Languages that pages of this host exist in. */
export function useSpokenLanguages(): readonly Language[] {
  const data = useRouteLoaderData('root') as { languages?: readonly Language[] } | undefined
  return data?.languages ?? languages
}

/** Zone in which dates are shown; the same on the server and in the browser, so that nothing changes at hydration. */
export function useTimeZone(): string {
  const data = useRouteLoaderData('root') as { timeZone?: string } | undefined
  return data?.timeZone ?? defaultTimeZone
}

/** The formatters, bound to this visitor's language and time zone. */
export function useFormat() {
  const language = useLanguage()
  const timeZone = useTimeZone()
  return useMemo(
    () => ({
      money: (money: { amount: number; currency: string }) => format.formatMoney(money, language),
      /** Whole amounts without decimals, for prices that stand alone. */
      price: (money: { amount: number; currency: string }) => format.formatMoney(money, language, true),
      /** As it would be typed into a field. */
      typed: (money: { amount: number; currency: string }) => format.formatTyped(money, language),
      hourly: (money: { amount: number; currency: string }) => format.formatHourly(money, language),
      percent: (fraction: number) => format.formatPercent(fraction, language),
      number: (value: number, digits?: number) => format.formatNumber(value, language, digits),
      bytes: (bytes: number) => format.formatBytes(bytes, language),
      duration: (seconds: number) => format.formatDuration(seconds, language),
      dateTime: (time: string | number | Date) => format.formatDateTime(time, language, timeZone),
      shortDateTime: (time: string | number | Date) => format.formatShortDateTime(time, language, timeZone),
      /** A day of a calendar that is the same everywhere, without its year. */
      day: (time: string | number | Date) => format.formatDay(time, language),
      /** The same with its year. */
      calendarDay: (day: string) => format.formatDate(day, language, 'UTC'),
      weekday: (day: number) => format.formatWeekday(day, language),
      dayMonth: (time: string | number | Date) => format.formatDayMonth(time, language, timeZone),
      date: (time: string | number | Date) => format.formatDate(time, language, timeZone),
      time: (time: string | number | Date, withSeconds?: boolean) =>
        format.formatTime(time, language, timeZone, withSeconds),
      relative: (time: string | number | Date, now?: number) => format.formatRelative(time, language, now),
    }),
    [language, timeZone],
  )
}

/** Address of a page in this visitor's language: `/login` → `/pl/login`. */
export function usePath(): (path: string) => string {
  const language = useLanguage()
  return useMemo(() => (path: string) => `/${language}${path}`, [language])
}
