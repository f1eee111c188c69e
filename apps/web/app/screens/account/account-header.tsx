import { useLocation } from 'react-router'
import { useTranslation } from '#app/i18n/texts.tsx'
import { usePath } from '#app/i18n/use-format.ts'
import { accountScreens } from '#app/features/session/account-screens.ts'
import { PageHeader } from '#app/ui/page-header.tsx'
import { SegmentedLinks } from '#app/ui/segmented-links.tsx'
import classes from './account.module.css'

/** Title of the account's screens, and the way from one to the other. */
export function AccountHeader() {
  const { t } = useTranslation()
  const path = usePath()
  const { pathname } = useLocation()
  const options = accountScreens.map((screen) => ({ to: path(screen.path), label: t(screen.label) }))
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
