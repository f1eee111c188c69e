import type { AdminUser } from '@wakestone/contract/admin/admin'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Badge } from '#app/ui/state-badge.tsx'

/** What is out of the ordinary about an account; nothing where nothing is. */
export function UserBadges({ user }: { user: AdminUser }) {
  const { t } = useTranslation()
  if (user.destroyed_at !== null)
    return (
      <Badge size="small" colour="muted" shape="square">
        {t('admin.deleted')}
      </Badge>
    )
  return (
    <>
      {user.suspended_at !== null && (
        <Badge size="small" colour="ember" shape="triangle">
          {t('admin.suspended')}
        </Badge>
      )}
      {user.destroy_at !== null && (
        <Badge size="small" colour="lantern" shape="triangle">
          {t('admin.leaving')}
        </Badge>
      )}
      {user.email_verified === null && (
        <Badge size="small" colour="muted" shape="ring">
          {t('admin.unverified')}
        </Badge>
      )}
    </>
  )
}
