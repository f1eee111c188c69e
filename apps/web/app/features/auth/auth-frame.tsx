import type { ReactNode } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { LanternMark } from '#app/ui/brand.tsx'
import classes from './auth-frame.module.css'

/** A form in the middle of the page, with a lantern above. */
export function AuthFrame({ title, text, children }: { title: string; text?: ReactNode; children: ReactNode }) {
  const { t } = useTranslation()
  return (
    <div className={classes['frame']}>
      <div className={classes['box']}>
        <div className={classes['mark']}>
          <LanternMark size={34} />
        </div>
        <h1>{title}</h1>
        {text !== undefined && <p className={classes['text']}>{text}</p>}
        {children}
      </div>
      <p className={classes['aside']}>{t('auth.aside')}</p>
    </div>
  )
}
