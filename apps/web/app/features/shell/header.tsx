import { IconMenu2, IconX } from '@tabler/icons-react'
import { useRef } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Link } from 'react-router'
import { CountryLink } from '#app/features/location/country-link.tsx'
import { guardRouteChange } from '#app/features/route-alert/route-alert.ts'
import { useUser } from '#app/features/session/use-user.ts'
import { usePath } from '#app/i18n/use-format.ts'
import { Brand } from '#app/ui/brand.tsx'
import { LinkButton } from '#app/ui/button.tsx'
import { Dropdown } from '#app/ui/dropdown.tsx'
import { AccountLinks, AccountMenu } from './account-menu.tsx'
import classes from './header.module.css'
import { LanguageLinks, LanguageSwitch, ThemeToggle } from './switches.tsx'
import { useHidingHeader } from './use-hiding-header.ts'

/** Head of the public pages: stays while the page is scrolled up, makes room while it is read. */
export function Header() {
  const { t } = useTranslation()
  const path = usePath()
  const user = useUser()
  const header = useRef<HTMLElement>(null)
  useHidingHeader(header)
  return (
    <header ref={header} className={classes['header']} onClickCapture={guardRouteChange}>
      <div className={classes['bar']}>
        <Link to={path('')} className={classes['brand']} aria-label={t('brand.home')}>
          <Brand />
        </Link>
        <nav className={classes['nav']} aria-label={t('shell.navigation')}>
          <SiteLinks />
        </nav>
        <div className={classes['tools']}>
          <div className={classes['wide']}>
            <CountryLink />
            <LanguageSwitch />
            <ThemeToggle />
          </div>
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
            <>
              <LinkButton to={path('/s')} look="primary">
                {t('shell.panel')}
              </LinkButton>
              <div className={classes['wide']}>
                <AccountMenu user={user} />
              </div>
            </>
          )}
          <MobileMenu />
        </div>
      </div>
    </header>
  )
}

function SiteLinks() {
  const { t } = useTranslation()
  const path = usePath()
  return (
    <>
      <Link to={path('/offers')}>{t('nav.plans')}</Link>
      <Link to={path('/m')}>{t('nav.market')}</Link>
      <Link to={path('/parents')}>{t('nav.parents')}</Link>
      <Link to={path('/contact')}>{t('nav.contact')}</Link>
    </>
  )
}

/** Everything that a narrow header has no room for. */
function MobileMenu() {
  const { t } = useTranslation()
  const path = usePath()
  const user = useUser()
  return (
    <Dropdown
      className={classes['mobile']}
      keepsFocus
      summary={
        <>
          <IconMenu2 size={22} aria-hidden="true" className={classes['open']} />
          <IconX size={22} aria-hidden="true" className={classes['shut']} />
          <span className="visually-hidden">{t('shell.menu')}</span>
        </>
      }
    >
      <div className={classes['sheet']}>
        <nav aria-label={t('shell.navigation')}>
          <SiteLinks />
        </nav>
        {user === null ? (
          <nav aria-label={t('nav.account')}>
            <Link to={path('/login')}>{t('shell.login')}</Link>
            <Link to={path('/register')}>{t('shell.register')}</Link>
          </nav>
        ) : (
          <nav aria-label={t('nav.account')}>
            <AccountLinks user={user} />
          </nav>
        )}
        <div className={classes['settings']}>
          <CountryLink withName />
          <LanguageLinks />
          <ThemeToggle />
        </div>
      </div>
    </Dropdown>
  )
}
