import { useTranslation } from '#app/i18n/texts.tsx'
import { type CrashLike, culpritOf, knownTag, readExit, readNames } from './crash-facts.ts'
import classes from './crash.module.css'

/** Why a game crashed, in words: which mod, which version, as far as is known; and how it ended. */
export function CrashWords({ crash, withExit = true }: { crash: CrashLike; withExit?: boolean }) {
  const { t } = useTranslation()
  const tag = knownTag(crash.tag)
  const named = readNames(crash)
  const { error } = culpritOf(crash)
  const exit = readExit(crash.exit)
  return (
    <div className={classes.words}>
      <p className={classes.reason}>{t(`events.reasons.${tag}`)}</p>
      {named !== null && <p>{t(`crash.named.${named.tag}`, named.values)}</p>}
      <p>{t(`crash.about.${tag}`)}</p>
      {error !== undefined && <code>{error}</code>}
      {withExit && <p className={classes.exit}>{t(`crash.exit.${exit.kind}`, exit.values)}</p>}
    </div>
  )
}
