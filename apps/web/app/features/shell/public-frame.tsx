import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useRouteLoaderData } from 'react-router'
import { useUser } from '#app/features/session/use-user.ts'
import { useFormat, useLanguage, usePath } from '#app/i18n/use-format.ts'
import { localeOf } from '#app/i18n/languages.ts'
import type { loader } from '#app/root.tsx'
import { Brand } from '#app/ui/brand.tsx'
import { LinkButton } from '#app/ui/button.tsx'
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

function Footer() {
  const { t } = useTranslation()
  const user = useUser()
  const path = usePath()
  const format = useFormat()
  const language = useLanguage()
  const visitor = useRouteLoaderData<typeof loader>('root')?.location
  const country = visitor && new Intl.DisplayNames(localeOf[language], { type: 'region' }).of(visitor.country_code)
  return (
    <footer className={classes['footer']}>
      <div className={classes['foot']}>
        <div className={classes['about']}>
          <Brand />
          <p>{t('shell.footer')}</p>
          {visitor && <p>{t('shell.prices', { country, rate: format.percent(visitor.vat_rate) })}</p>}
        </div>
        <ul>
          <li>
            <Link to={`${path('')}#plans`}>{t('shell.plans')}</Link>
          </li>
          {user === null && (
            <>
              <li>
                <Link to={path('/login')}>{t('shell.login')}</Link>
              </li>
              <li>
                <Link to={path('/register')}>{t('shell.register')}</Link>
              </li>
            </>
          )}
          <li>
            <a href="/api/docs">{t('shell.api')}</a>
          </li>
        </ul>
        <p className={classes['licence']}>{t('shell.licence')}</p>
      </div>
    </footer>
  )
}
