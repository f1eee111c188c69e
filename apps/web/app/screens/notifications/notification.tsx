import { HydrationBoundary, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link, useSearchParams } from 'react-router'
import { notificationSources, type Notification } from '@wakestone/contract/ground/notification'
import { openNotification } from '@wakestone/contract/ground/notifications-routes'
import { api } from '#app/api/client.ts'
import { makeStale } from '#app/api/query-of.ts'
import { aboutNotifications } from '#app/api/stale-answers.ts'
import { prefetch } from '#app/api/prefetch.ts'
import { chooseLanguage } from '#app/features/language/choose-language.ts'
import { GroupIcon } from '#app/features/notifications/group-icon.tsx'
import { notificationQuery } from '#app/features/notifications/queries.ts'
import { InvitationCards } from '#app/features/sharing/invitation-cards.tsx'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { requireUser } from '#app/features/session/require-user.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useLanguage, usePath } from '#app/i18n/use-format.ts'
import { webContext } from '#app/load-context.ts'
import { LinkButton } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import type { Route } from './+types/notification'
import classes from './notifications.module.css'

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const user = requireUser(request, context)
  const { api: client, language: guess } = context.get(webContext)
  const wanted = { userId: user.id, id: params.notificationId, language: chooseLanguage(request, guess) }
  return { queries: await prefetch(notificationQuery(wanted, client)) }
}

/** `/{lang}/notifications/{id}`: one notification, what can be done about it, and how it went on each channel. */
export default function NotificationDetails({ loaderData, params }: Route.ComponentProps) {
  const { t } = useTranslation()
  const path = usePath()
  return (
    <HydrationBoundary state={loaderData.queries}>
      <PageMeta page="notification" />
      <Link to={path('/notifications')} className={classes['back']}>
        {t('notifications.back')}
      </Link>
      <Found id={params.notificationId} />
    </HydrationBoundary>
  )
}

function Found({ id }: { id: string }) {
  const language = useLanguage()
  const { id: userId } = useSignedInUser()
  const { data: notification, error, refetch } = useQuery(notificationQuery({ userId, id, language }))
  if (notification !== undefined) return <Details notification={notification} />
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />
  return <Skeleton height={240} />
}

function Details({ notification }: { notification: Notification }) {
  const { t } = useTranslation()
  const { title, text, type, created_at, actions, action_expires, statuses } = notification
  useOpened(notification)
  return (
    <>
      <PageHeader title={title} />
      {type === 'SERVER_SHARED' && <InvitationCards />}
      <div className={classes['detail']}>
        <Card>
          <div className={classes['head']}>
            <GroupIcon kind={type} />
            <DateTime value={created_at} />
          </div>
          {/* The invitation above says it, and takes the answer. */}
          {type !== 'SERVER_SHARED' && <p className={classes['body']}>{text}</p>}
          {actions.length > 0 && (
            <div className={classes['actions']}>
              {actions.map(({ name, path }, index) => (
                <LinkButton
                  key={name}
                  to={path}
                  look={index === 0 && type !== 'SERVER_SHARED' ? 'primary' : 'secondary'}
                >
                  {t(`notificationActions.${name}`)}
                </LinkButton>
              ))}
            </div>
          )}
          {actions.length === 0 && action_expires !== null && <p>{t('notifications.actionsOver')}</p>}
        </Card>
        {statuses.length > 0 && (
          <Card title={t('notifications.ways')}>
            <ul className={classes['ways']}>
              {statuses.map(({ channel, status, error }, index) => (
                <li key={index}>
                  <b>{t(`notificationChannels.${channel}`)}</b>
                  <span>
                    {t(`notifications.status.${status}`)}
                    {error !== null && ` (${error})`}
                  </span>
                </li>
              ))}
            </ul>
          </Card>
        )}
      </div>
    </>
  )
}

/** Notes, once, that it was opened, and from where when the address says so. */
function useOpened({ id, user_id: userId, opened_at }: Notification) {
  const [search] = useSearchParams()
  const queries = useQueryClient()
  const me = useSignedInUser()
  const from = search.get('from')
  const source = notificationSources.find((known) => known === from) ?? 'panel'
  const isMine = me.id === userId
  useEffect(() => {
    if (opened_at !== null || !isMine) return
    void api(openNotification, { params: { userId, notificationId: id }, query: { source } }).then(
      () => makeStale(queries, ...aboutNotifications(userId)),
      () => undefined, // it stays unread
    )
  }, [id, userId, opened_at, isMine, source, queries])
}
