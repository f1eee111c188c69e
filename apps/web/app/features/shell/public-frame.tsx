import type { ReactNode } from 'react'
import { Announcement } from '#app/features/announcement/announcement.tsx'
import { Promotion } from '#app/features/announcement/promotion.tsx'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'
import { SkipLink } from './skip-link.tsx'
import classes from './public-frame.module.css'

/** Head and foot of the public pages. */
export function PublicFrame({ children }: { children: ReactNode }) {
  return (
    <div className={classes['frame']}>
      <SkipLink />
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
