import { useTranslation } from '#app/i18n/texts.tsx'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { requireUser } from '#app/features/session/require-user.ts'
import { PageHeader } from '#app/ui/page-header.tsx'
import type { Route } from './+types/delete-confirm'
import classes from './account.module.css'
import { DeletionSection } from './deletion-section.tsx'

export function loader({ request, context }: Route.LoaderArgs) {
  requireUser(request, context)
}

/** `/{lang}/account/delete/confirm`: where the mailed code is typed, a new one asked for, and the deletion cancelled. */
export default function ConfirmDeletion() {
  const { t } = useTranslation()
  return (
    <>
      <PageMeta page="confirmDeletion" />
      <PageHeader title={t('deletion.title')} text={t('deletion.text')} />
      <div className={classes['sections']}>
        <DeletionSection hasCode />
      </div>
    </>
  )
}
