import { useTranslation } from '#app/i18n/texts.tsx'
import { antibotModes } from '@wakestone/contract/servers/antibot'
import { backupCauses } from '@wakestone/contract/servers/backups'
import { browserOf } from '@wakestone/contract/browser-name'
import { useFormat, useLanguage } from '#app/i18n/use-format.ts'
import { DateTime } from '#app/ui/date-time.tsx'
import type { EventFacts, Fact, NamedFact } from './event-facts.ts'
import classes from './events.module.css'

const loginMethods = ['local', 'email', 'discord', 'passkey', 'reset', 'change'] as const
const secondSteps = ['totp', 'passkey', 'recovery_code'] as const
const wokenBy = ['player', 'ping'] as const
const times: readonly NamedFact[] = ['backup_made_at', 'expires', 'until', 'scheduled_destruction']
const sizes: readonly NamedFact[] = ['file_size', 'total_size', 'free_bytes']

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
  const { name, value, old } = fact
  const showMode = (mode: string | undefined) => {
    const known = antibotModes.find((one) => one === mode)
    return known === undefined ? mode : t(`antibot.mode.${known}`)
  }
  if (times.includes(name)) return <DateTime value={value} />
  if (sizes.includes(name)) return <>{format.bytes(Number(value))}</>
  if (name === 'down_seconds') return <>{format.duration(Math.round(Number(value)))}</>
  const method = name === 'method' ? loginMethods.find((known) => known === value) : undefined
  if (method !== undefined) return <>{t(`events.methods.${method}`)}</>
  const step = name === 'second_step' ? secondSteps.find((known) => known === value) : undefined
  if (step !== undefined) return <>{t(`events.secondSteps.${step}`)}</>
  if (name === 'cause') return <Cause value={value} />
  if (name === 'antibot') return <>{[old, value].map(showMode).filter(Boolean).join(' → ')}</>
  if (old === undefined) return <code>{value}</code>
  return (
    <span className={classes['change']}>
      <code>{old}</code> <span aria-hidden="true">→</span>
      <span className="visually-hidden">{t('events.became')}</span> <code>{value}</code>
    </span>
  )
}

/** Of a backup, or of waking. */
function Cause({ value }: { value: string }) {
  const { t } = useTranslation()
  const backup = backupCauses.find((known) => known === value)
  if (backup !== undefined) return <>{t(`backups.cause.${backup}`)}</>
  const woken = wokenBy.find((known) => known === value)
  return woken === undefined ? <code>{value}</code> : <>{t(`events.wokenBy.${woken}`)}</>
}
