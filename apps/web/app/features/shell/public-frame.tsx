import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useRouteLoaderData } from 'react-router'
import { useUser } from '#app/features/session/use-user.ts'
import { useFormat, usePath } from '#app/i18n/use-format.ts'
import type { loader } from '#app/root.tsx'
import { Brand } from '#app/ui/brand.tsx'
import { LinkButton } from '#app/ui/button.tsx'
import { Footer } from './footer.tsx'
import classes from './public-frame.module.css'
import { LanguageSwitch, ThemeToggle } from './switches.tsx'

/** Head and foot of the public pages. */
export function PublicFrame({ children }: { children: ReactNode }) {
  const { t } = useTranslation()
  return (
    <div className={classes['frame']}>
      <a className={classes['skip']} href="#content">
        {t('shell.skip')}
      </a>
      <Header />
      <main id="content" className={classes['main']}>
        {children}
      </main>
      <Footer />
    </div>
  )
}

function Header() {
  const { t } = useTranslation()
  const path = usePath()
  const user = useUser()
  const format = useFormat()
  const visitor = useRouteLoaderData<typeof loader>('root')?.location
  return (
    <header className={classes['header']}>
      <div className={classes['bar']}>
        <Link to={path('')} className={classes['brand']} aria-label={t('brand.home')}>
          <Brand />
        </Link>
        <nav className={classes['nav']} aria-label={t('shell.navigation')}>
          <Link to={`${path('')}#plans`}>{t('shell.plans')}</Link>
          <Link to={`${path('')}#knock`}>{t('shell.how')}</Link>
        </nav>
        <div className={classes['tools']}>
          {visitor && (
            <span className={classes['vat']}>{t('money.vat', { rate: format.percent(visitor.vat_rate) })}</span>
          )}
          <LanguageSwitch />
          <ThemeToggle />
          {user === null ? (
            <>
              <Link to={path('/login')} className={classes['login']}>
                {t('shell.login')}
              </Link>
              <LinkButton to={path('/register')} look="primary">
                {t('shell.startFree')}
              </LinkButton>
            </>
          ) : (
            <LinkButton to={path('/s')} look="primary">
              {t('shell.panel')}
            </LinkButton>
          )}
        </div>
      </div>
    </header>
  )
}
