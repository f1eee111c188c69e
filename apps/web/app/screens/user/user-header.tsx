import { useState } from 'react'
import { Link } from 'react-router'
import { isAdmin } from '@wakestone/contract/capabilities'
import type { AdminUserDetails } from '@wakestone/contract/admin/admin'
import { UserBadges } from '#app/features/admin/user-badges.tsx'
import { useCountryName } from '#app/features/location/use-country-name.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { languageNames } from '#app/i18n/languages.ts'
import { Trans, useTranslation } from '#app/i18n/texts.tsx'
import { useFormat, usePath } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import { Badge } from '#app/ui/state-badge.tsx'
import { showErrorToast } from '#app/ui/toasts.tsx'
import { SuspendDialog } from './suspend-dialog.tsx'
import { useUnsuspend, useViewAs } from './user-changes.ts'
import classes from './user.module.css'

/** Who it is, how things stand, and what an administrator may do about it. */
export function UserHeader({ user }: { user: AdminUserDetails }) {
  const { t } = useTranslation()
  return (
    <>
      <PageHeader
        title={user.username}
        beside={
          <span className={classes['badges']}>
            {isAdmin(user.user_capabilities) && (
              <Badge size="small" colour="dusk" shape="filled">
                {t('admin.administrator')}
              </Badge>
            )}
            <UserBadges user={user} />
          </span>
        }
        text={user.email}
        {...(user.destroyed_at === null ? { actions: <Actions user={user} /> } : {})}
      />
      {user.suspension !== null && <Suspension suspension={user.suspension} />}
      <Facts user={user} />
    </>
  )
}

function Actions({ user }: { user: AdminUserDetails }) {
  const { t } = useTranslation()
  const self = useSignedInUser()
  const [isAsking, setAsking] = useState(false)
  const viewAs = useViewAs(user.id)
  const unsuspend = useUnsuspend(user.id)
  const isSelf = self.id === user.id
  const whyNoView = isSelf
    ? t('admin.whySelf')
    : isAdmin(user.user_capabilities)
      ? t('admin.whyAdministrator')
      : user.suspended_at !== null
        ? t('admin.whySuspended')
        : undefined
  return (
    <>
      <Button
        loading={viewAs.isPending || viewAs.isSuccess}
        why={whyNoView}
        onClick={() => viewAs.mutate(undefined, { onError: (error) => showErrorToast(error) })}
      >
        {t('admin.viewAs')}
      </Button>
      {user.suspended_at === null ? (
        <Button look="danger" why={isSelf ? t('admin.whySelf') : undefined} onClick={() => setAsking(true)}>
          {t('admin.suspend')}
        </Button>
      ) : (
        <Button
          look="primary"
          loading={unsuspend.isPending}
          onClick={() => unsuspend.mutate(undefined, { onError: (error) => showErrorToast(error) })}
        >
          {t('admin.unsuspend')}
        </Button>
      )}
      <SuspendDialog user={user} opened={isAsking} onClose={() => setAsking(false)} />
    </>
  )
}

function Suspension({ suspension }: { suspension: NonNullable<AdminUserDetails['suspension']> }) {
  const path = usePath()
  const format = useFormat()
  const { by, at, reason } = suspension
  return (
    <aside className={classes['notice']}>
      <p className={classes['reason']}>{reason}</p>
      <p>
        {by === null ? (
          format.dateTime(at)
        ) : (
          <Trans
            i18nKey="admin.suspendedBy"
            values={{ name: by.username, at: format.dateTime(at) }}
            components={{ a: <Link to={path(`/user/${by.id}`)} /> }}
          />
        )}
      </p>
    </aside>
  )
}

function Facts({ user }: { user: AdminUserDetails }) {
  const { t } = useTranslation()
  const countryName = useCountryName()
  const time = (value: string | null) => (value === null ? t('admin.never') : <DateTime value={value} />)
  const facts = [
    { key: t('admin.id'), value: <code className={classes['id']}>{user.id}</code> },
    { key: t('admin.since'), value: time(user.created_at) },
    { key: t('admin.lastSeen'), value: time(user.last_seen_at) },
    { key: t('admin.country'), value: countryName(user.country_code) },
    { key: t('admin.language'), value: languageNames[user.language] },
    { key: t('admin.verified'), value: time(user.email_verified) },
    { key: t('admin.terms'), value: time(user.accepted_tos) },
    { key: t('admin.newsletter'), value: time(user.newsletter) },
    { key: t('admin.password'), value: t(user.has_password ? 'admin.set' : 'admin.notSet') },
    ...(user.destroy_at !== null && user.destroyed_at === null
      ? [{ key: t('admin.deletion'), value: time(user.destroy_at) }]
      : []),
    ...(user.destroyed_at === null ? [] : [{ key: t('admin.deleted'), value: time(user.destroyed_at) }]),
  ]
  return (
    <dl className={classes['facts']}>
      {facts.map(({ key, value }) => (
        <div key={key}>
          <dt>{key}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
