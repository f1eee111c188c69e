import { useTranslation } from '#app/i18n/texts.tsx'
import { antibotModes } from '@wakestone/contract/servers/antibot'
import { browserOf } from '@wakestone/contract/browser-name'
import { billingPeriods } from '@wakestone/contract/values'
import { useDimensionName } from '#app/features/servers/dimension-name.ts'
import { engineName, planName } from '#app/features/servers/server-names.ts'
import { useFormat, useLanguage } from '#app/i18n/use-format.ts'
import { DateTime } from '#app/ui/date-time.tsx'
import type { EventFacts, Fact, NamedFact } from './event-facts.ts'
import classes from './events.module.css'
import { PackageNames } from './package-titles.tsx'

const loginMethods = ['local', 'email', 'discord', 'passkey', 'reset', 'change'] as const
const secondSteps = ['totp', 'passkey', 'recovery_code'] as const
const times: readonly NamedFact[] = ['backup_made_at', 'expires', 'until', 'scheduled_destruction']
const sizes: readonly NamedFact[] = ['file_size', 'total_size', 'free_bytes']
const durations: readonly NamedFact[] = ['down_seconds', 'timeout', 'in_seconds']

/** Country and address, as `Polska · 192.0.2.1`. */
export function usePlace() {
  const language = useLanguage()
  return ({ country, ip }: Pick<EventFacts, 'country' | 'ip'>) => {
    const name = country === undefined ? undefined : new Intl.DisplayNames(language, { type: 'region' }).of(country)
    return [name, ip].filter(Boolean).join(' · ') || undefined
  }
}

/** Browser and system, as `Firefox · Linux`. */
export function useDevice() {
  const { t } = useTranslation()
  return ({ userAgent }: Pick<EventFacts, 'userAgent'>) => {
    if (userAgent === undefined) return undefined
    const { browser, system } = browserOf(userAgent)
    return [browser ?? t('account.unknownBrowser'), system].filter(Boolean).join(' · ')
  }
}

/** A fact in the visitor's words, with what was before where something was changed. */
export function FactValue({ fact }: { fact: Fact }) {
  const { t } = useTranslation()
  const format = useFormat()
  const dimensionName = useDimensionName()
  const { name, value, old, text } = fact
  if (text !== undefined) return <>{t(text)}</>
  if (times.includes(name)) return <DateTime value={value} />
  if (sizes.includes(name)) return <>{format.bytes(Number(value))}</>
  if (durations.includes(name)) return <>{format.duration(Math.round(Number(value)))}</>
  const method = name === 'method' ? loginMethods.find((known) => known === value) : undefined
  if (method !== undefined) return <>{t(`events.methods.${method}`)}</>
  const step = name === 'second_step' ? secondSteps.find((known) => known === value) : undefined
  if (step !== undefined) return <>{t(`events.secondSteps.${step}`)}</>
  if (name === 'dimension') return <>{dimensionName(value)}</>
  if (name === 'package_name') return <PackageNames value={value} />
  const inWords = wordsOf(t, name)
  if (inWords !== undefined)
    return (
      <>
        {[old, value]
          .filter((one) => one !== undefined)
          .map(inWords)
          .join(' → ')}
      </>
    )
  if (old === undefined) return <code>{value}</code>
  return (
    <span className={classes['change']}>
      <code>{old}</code> <span aria-hidden="true">→</span>
      <span className="visually-hidden">{t('events.became')}</span> <code>{value}</code>
    </span>
  )
}

/** What says a value of this kind as people read it elsewhere. */
function wordsOf(t: ReturnType<typeof useTranslation>['t'], name: NamedFact): ((value: string) => string) | undefined {
  switch (name) {
    case 'antibot':
      return (value) => {
        const known = antibotModes.find((one) => one === value)
        return known === undefined ? value : t(`antibot.mode.${known}`)
      }
    case 'billing_period':
      return (value) => {
        const known = billingPeriods.find((one) => one === value)
        return known === undefined ? value : t(`create.periods.${known}`)
      }
    case 'product_id':
      return planName
    case 'engine':
      return engineName
    default:
      return undefined
  }
}
