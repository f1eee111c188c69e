import type { ReactNode } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Announcement } from '#app/features/announcement/announcement.tsx'
import { Promotion } from '#app/features/announcement/promotion.tsx'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'
import classes from './public-frame.module.css'

/** Head and foot of the public pages. */
export function PublicFrame({ children }: { children: ReactNode }) {
  const { t } = useTranslation()
  return (
    <div className={classes['frame']}>
      <a className={classes['skip']} href="#content">
        {t('shell.skip')}
      </a>
      <Announcement />
      <Promotion />
      <Header />
      <main id="content" className={classes['main']}>
        {children}
      </main>
      <Footer />
    </div>
  )
}
