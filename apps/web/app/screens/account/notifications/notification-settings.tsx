import { HydrationBoundary, useQuery, useQueryClient } from '@tanstack/react-query'
import { Fragment } from 'react'
import type { NotificationSettings } from '@wakestone/contract/ground/notification'
import {
  type NotificationChannel,
  notificationChannels,
  notificationGroups,
} from '@wakestone/contract/ground/notification-kinds/kind'
import { setNotificationChoices } from '@wakestone/contract/ground/notifications-routes'
import { api } from '#app/api/client.ts'
import { makeStale } from '#app/api/query-of.ts'
import { prefetch } from '#app/api/prefetch.ts'
import { notificationSettingsQuery } from '#app/features/notifications/queries.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { requireUser } from '#app/features/session/require-user.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { webContext } from '#app/load-context.ts'
import { Card } from '#app/ui/card.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { showErrorToast } from '#app/ui/toasts.tsx'
import { AccountHeader } from '../account-header.tsx'
import type { Route } from './+types/notification-settings'
import classes from './notification-settings.module.css'
import { PushSection } from './push-section.tsx'
import { WebhookSection } from './webhook-section.tsx'

export async function loader({ request, context }: Route.LoaderArgs) {
  const user = requireUser(request, context)
  const { api: client } = context.get(webContext)
  return { queries: await prefetch(notificationSettingsQuery(user.id, client)) }
}

/** `/{lang}/account/settings/notifications`: what reaches the user, and on which ways. */
export default function NotificationSettingsScreen({ loaderData }: Route.ComponentProps) {
  return (
    <HydrationBoundary state={loaderData.queries}>
      <PageMeta page="notificationSettings" />
      <AccountHeader />
      <Sections />
    </HydrationBoundary>
  )
}

function Sections() {
  const { t } = useTranslation()
  const { id } = useSignedInUser()
  const { data: settings, error, refetch } = useQuery(notificationSettingsQuery(id))
  if (settings === undefined && error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (settings === undefined) return <Skeleton height={400} />
  return (
    <div className={classes['sections']}>
      <p className={classes['text']}>{t('notifications.settingsText')}</p>
      <PushSection push={settings.push} />
      <WebhookSection webhook={settings.webhook} />
      <Card padded={false} title={t('notifications.matrix')}>
        <Matrix settings={settings} userId={id} />
      </Card>
    </div>
  )
}

type Kind = NotificationSettings['kinds'][number]

function Matrix({ settings, userId }: { settings: NotificationSettings; userId: string }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const shown = notificationSettingsQuery(userId)
  const choose = async ({ kind }: Kind, channel: NotificationChannel, wanted: boolean) => {
    queries.setQueryData(shown.queryKey, (now) =>
      now === undefined
        ? now
        : {
            ...now,
            kinds: now.kinds.map((one) =>
              one.kind === kind
                ? { ...one, channels: { ...one.channels, [channel]: { on: wanted, fixed: false } } }
                : one,
            ),
          },
    )
    try {
      await api(setNotificationChoices, { params: { userId }, body: { choices: [{ kind, channel, wanted }] } })
    } catch (failure) {
      showErrorToast(failure)
      await makeStale(queries, shown)
    }
  }
  return (
    <table className={classes['matrix']}>
      <thead>
        <tr>
          <th scope="col">{t('notifications.what')}</th>
          {notificationChannels.map((channel) => (
            <th key={channel} scope="col">
              {t(`notificationChannels.${channel}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {notificationGroups.map((group) => (
          <Fragment key={group}>
            <tr className={classes['group']}>
              <th scope="rowgroup" colSpan={notificationChannels.length + 1}>
                {t(`notificationGroups.${group}`)}
              </th>
            </tr>
            {settings.kinds
              .filter((kind) => kind.group === group)
              .map((kind) => (
                <tr key={kind.kind}>
                  <th scope="row">{t(`notificationKinds.${kind.kind}`)}</th>
                  {notificationChannels.map((channel) => (
                    <td key={channel}>
                      <Choice kind={kind} channel={channel} onChange={(wanted) => void choose(kind, channel, wanted)} />
                    </td>
                  ))}
                </tr>
              ))}
          </Fragment>
        ))}
      </tbody>
    </table>
  )
}

function Choice({
  kind,
  channel,
  onChange,
}: {
  kind: Kind
  channel: NotificationChannel
  onChange: (wanted: boolean) => void
}) {
  const { t } = useTranslation()
  const { on, fixed } = kind.channels[channel] ?? { on: false, fixed: true }
  const name = `${t(`notificationKinds.${kind.kind}`)}: ${t(`notificationChannels.${channel}`)}`
  return (
    <input
      type="checkbox"
      checked={on}
      disabled={fixed}
      title={fixed ? t('notifications.fixed') : undefined}
      aria-label={fixed ? `${name}. ${t('notifications.fixed')}` : name}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  )
}
