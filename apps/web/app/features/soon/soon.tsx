import { useTranslation } from '#app/i18n/texts.tsx'
import classes from './soon.module.css'

/** What pages already name but nobody can use yet. On the day a part is built, its line becomes `false`. */
const isComing = { sleep: true, backups: true, marketplace: true, addons: true } as const satisfies Record<
  string,
  boolean
>
export type ComingPart = keyof typeof isComing

/** A small tag beside what is not there yet; nothing once it is. */
export function Soon({ part }: { part: ComingPart }) {
  const { t } = useTranslation()
  return isComing[part] ? <span className={classes['soon']}>{t('common.soon')}</span> : null
}
