import { type ReactNode, useEffect, useRef } from 'react'
import { Link, useLocation } from 'react-router'
import { accountGroups, accountScreens, useAccountScreens } from '#app/features/session/account-screens.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { usePath } from '#app/i18n/use-format.ts'
import { PageHeader } from '#app/ui/page-header.tsx'
import classes from './account-frame.module.css'

/** An account's screens: title and text of each, and a menu of all of them beside, which is a strip above on narrow screens. */
export function AccountFrame({ children }: { children: ReactNode }) {
  const { t } = useTranslation()
  const path = usePath()
  const { pathname } = useLocation()
  const here = accountScreens.find((screen) => path(screen.path) === pathname) ?? accountScreens[0]
  // Its entry says what it is among the others; its title, what it is in the product.
  const isFirst = here === accountScreens[0]
  const offered = useAccountScreens()
  const menu = useRef<HTMLElement>(null)
  useEffect(() => {
    const item = menu.current?.querySelector<HTMLElement>('[aria-current]')
    if (item == null || menu.current === null) return
    menu.current.scrollLeft = item.offsetLeft - (menu.current.clientWidth - item.clientWidth) / 2
  }, [pathname])
  return (
    <>
      <PageHeader title={t(isFirst ? 'account.title' : here.label)} text={t(here.text)} />
      <div className={classes['frame']}>
        <nav ref={menu} className={classes['menu']} aria-label={t('account.title')}>
          {accountGroups.map((group) => (
            <div key={group} className={classes['group']}>
              <p aria-hidden="true">{t(`account.groups.${group}`)}</p>
              <ul aria-label={t(`account.groups.${group}`)}>
                {accountScreens
                  .filter((screen) => screen.group === group && (screen === here || offered.includes(screen)))
                  .map((screen) => (
                    <li key={screen.path}>
                      <Link
                        to={path(screen.path)}
                        className={classes['item']}
                        aria-current={screen === here ? 'page' : undefined}
                      >
                        {t(screen.label)}
                      </Link>
                    </li>
                  ))}
              </ul>
            </div>
          ))}
        </nav>
        <div className={classes['content']}>{children}</div>
      </div>
    </>
  )
}
