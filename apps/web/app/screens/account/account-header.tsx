import { useLocation } from 'react-router'
import { useTranslation } from '#app/i18n/texts.tsx'
import { usePath } from '#app/i18n/use-format.ts'
import { PageHeader } from '#app/ui/page-header.tsx'
import { SegmentedLinks } from '#app/ui/segmented-links.tsx'
import classes from './account.module.css'

/** Title of the account's screens, and the way from one to the other. */
export function AccountHeader() {
  const { t } = useTranslation()
  const path = usePath()
  const { pathname } = useLocation()
  const options = [
    { to: path('/account/settings'), label: t('account.general') },
    { to: path('/account/settings/security'), label: t('security.title') },
    { to: path('/account/settings/notifications'), label: t('account.notifications') },
    { to: path('/account/referrals'), label: t('account.invitations') },
    { to: path('/account/invoices'), label: t('invoices.title') },
    { to: path('/account/bills'), label: t('account.bills') },
    { to: path('/account/settings/api-keys'), label: t('apiKeys.title') },
    { to: path('/account/settings/consents'), label: t('consents.title') },
  ]
  return (
    <>
      <PageHeader title={t('account.title')} text={t('account.text')} />
      <div className={classes['tabs']}>
        <SegmentedLinks
          label={t('account.title')}
          options={options.map((option) => ({ ...option, active: option.to === pathname }))}
        />
      </div>
    </>
  )
}
