import { useTranslation } from '#app/i18n/texts.tsx'
import { Link, useRouteLoaderData } from 'react-router'
import { canOpenAdminMenu } from '@wakestone/contract/capabilities'
import type { User } from '@wakestone/contract/accounts/user'
import { askForAdminPanel } from '#app/features/admin/ask-for-panel.ts'
import { useFormat, useLanguage, usePath } from '#app/i18n/use-format.ts'
import type { loader } from '#app/root.tsx'
import { Dropdown } from '#app/ui/dropdown.tsx'
import classes from './account-menu.module.css'
import { mainWalletOf } from './main-wallet.ts'

/** Who is signed in, and where that leads. */
export function AccountMenu({ user }: { user: User }) {
  const { t } = useTranslation()
  return (
    <Dropdown
      className={classes['menu']}
      summary={
        <>
          <span aria-hidden="true">{user.username.slice(0, 1).toUpperCase()}</span>
          <span className="visually-hidden">{t('shell.account', { name: user.username })}</span>
        </>
      }
    >
      <div className={classes['list']}>
        <AccountLinks user={user} />
      </div>
    </Dropdown>
  )
}

export function AccountLinks({ user }: { user: User }) {
  const { t } = useTranslation()
  const path = usePath()
  const format = useFormat()
  const language = useLanguage()
  const root = useRouteLoaderData<typeof loader>('root')
  const currency = root?.location?.currency
  const wallet = mainWalletOf(user.wallets, currency)
  return (
    <>
      <p className={classes['who']}>
        <strong>{user.username}</strong>
        <span>{user.email}</span>
      </p>
      <Link to={path('/s')}>{t('shell.panel')}</Link>
      {wallet !== undefined && (
        <Link to={path(`/wallets/${wallet.id}`)} className={classes['wallet']}>
          {t('shell.wallet')} <b className="tabular">{format.money(wallet.balance)}</b>
        </Link>
      )}
      <Link to={path('/m')}>{t('nav.market')}</Link>
      <Link to={path('/account/settings')}>{t('shell.accountSettings')}</Link>
      <Link to={path('/account')}>{t('nav.account')}</Link>
      <Link to={path('/account/support')}>{t('shell.help')}</Link>
      {canOpenAdminMenu(user.user_capabilities) && <Link to={path('/admin')}>{t('shell.admin')}</Link>}
      {root?.adminSwitches != null && (
        <button
          type="button"
          onClick={({ currentTarget }) => {
            currentTarget.closest('details')?.removeAttribute('open')
            askForAdminPanel()
          }}
        >
          {t('adminPanel.label')}
        </button>
      )}
      {/* Without scripts the API ends the session all the same. */}
      <form
        method="post"
        action="/api/v1/users/logout"
        onSubmit={(event) => {
          event.preventDefault()
          void import('#app/features/session/log-out.ts').then(({ logOut }) => logOut(language))
        }}
      >
        <button type="submit">{t('shell.logout')}</button>
      </form>
    </>
  )
}
