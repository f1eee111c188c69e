import { localeOf } from '@wakestone/contract/language'
import type { Language } from '@wakestone/contract/primitives'

/** `27 November 2026 at 16:05 CET`: outside the panel a time always names its zone. */
export const writeTime = (at: Date, { language, timeZone }: { language: Language; timeZone: string }): string =>
  new Intl.DateTimeFormat(localeOf[language], {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
    timeZoneName: 'short',
  }).format(at)
