import { type EngineId, engineIds, type Game, gameOfEngine } from '@wakestone/contract/servers/server'
import { engineName } from '#app/features/servers/server-names.ts'
import { localeOf } from '#app/i18n/languages.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useLanguage } from '#app/i18n/use-format.ts'
import classes from './missing-engine.module.css'

/** They are for demonstrations: where they are missing, the operator wants it so. */
const ownEngines: readonly EngineId[] = ['flying-squid', 'serenity']
/** Those that most people look for stand first; more names than these would be no line any more. */
const sought: readonly EngineId[] = ['paper', 'vanilla', 'fabric', 'bedrock-dedicated']

/** Which engines are missing from a choice because their makers' services do not answer; nothing when all are there. */
export function AbsentEngines({ offered, game }: { offered: readonly { id: EngineId }[]; game?: Game }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const absent = engineIds.filter(
    (id) =>
      !ownEngines.includes(id) &&
      (game === undefined || gameOfEngine[id] === game) &&
      !offered.some((one) => one.id === id),
  )
  if (absent.length === 0) return null
  const inOrder = [...sought.filter((id) => absent.includes(id)), ...absent.filter((id) => !sought.includes(id))]
  const named = inOrder.length > sought.length + 1 ? inOrder.slice(0, sought.length) : inOrder
  const others = inOrder.length - named.length
  const words = [...named.map(engineName), ...(others > 0 ? [t('offers.enginesMore', { count: others })] : [])]
  const engines = new Intl.ListFormat(localeOf[language], { type: 'conjunction' }).format(words)
  return <p className={classes['absent']}>{t('offers.enginesAbsent', { engines })}</p>
}
