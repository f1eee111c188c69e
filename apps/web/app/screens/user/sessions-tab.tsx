import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { AdminUserDetails } from '@wakestone/contract/admin/admin'
import { endUserSession, listSessions } from '@wakestone/contract/accounts/account-routes'
import type { Session } from '@wakestone/contract/accounts/user'
import { api } from '#app/api/client.ts'
import { answersOf, makeStale, queryOf } from '#app/api/query-of.ts'
import { useCountryName } from '#app/features/location/use-country-name.ts'
import { browserOf } from '@wakestone/contract/browser-name'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import type { Column } from '#app/ui/data-table.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Pager } from '#app/ui/pager.tsx'
import { QueryTable } from '#app/ui/query-table.tsx'
import { showErrorToast } from '#app/ui/toasts.tsx'
import { useWholeList } from '#app/ui/use-whole-list.ts'
import classes from './user.module.css'

const pageSize = 25
const textOf = (session: Session) => session.user_agent ?? ''

/** Devices that are signed in to the account; each can be signed out. */
export function SessionsTab({ user }: { user: AdminUserDetails }) {
  const { t } = useTranslation()
  const countryName = useCountryName()
  const list = useQuery(queryOf(listSessions, { params: { id: user.id } }))
  const nameOf = (session: Session) => {
    const { browser, system } = browserOf(session.user_agent)
    return [browser ?? t('account.unknownBrowser'), system].filter(Boolean).join(' · ')
  }
  const columns: Column<Session>[] = [
    {
      key: 'device',
      header: t('admin.device'),
      phone: 'title',
      cell: (session) => (
        <div className={classes['who']}>
          <span>{nameOf(session)}</span>
          <span>
            {[session.country_code === null ? null : countryName(session.country_code), session.ip]
              .filter(Boolean)
              .join(' · ')}
          </span>
        </div>
      ),
    },
    { key: 'used', header: t('admin.lastUsed'), cell: (session) => <DateTime value={session.last_used_at} /> },
    { key: 'since', header: t('admin.signedIn'), cell: (session) => <DateTime value={session.created_at} /> },
    {
      key: 'end',
      header: t('admin.action'),
      align: 'end',
      cell: (session) => <SignOut userId={user.id} session={session} name={nameOf(session)} />,
    },
  ]
  const { rows, count } = useWholeList({ rows: list.data, columns, size: pageSize, textOf })
  return (
    <Card padded={false}>
      <QueryTable
        query={list}
        label={t('admin.tab.sessions')}
        columns={columns}
        rows={rows}
        rowKey={(session) => session.id}
        empty={<EmptyState figure="none" title={t('admin.noSessionsTitle')} text={t('admin.noSessionsText')} />}
      >
        <Pager size={pageSize} count={count} />
      </QueryTable>
    </Card>
  )
}

function SignOut({ userId, session, name }: { userId: string; session: Session; name: string }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const end = useMutation({
    mutationFn: () => api(endUserSession, { params: { id: userId, sessionId: session.id } }),
    onError: (error) => showErrorToast(error),
    onSettled: () => makeStale(queries, answersOf(listSessions, { id: userId })),
  })
  return (
    <Button
      size="small"
      loading={end.isPending}
      why={session.current ? t('account.thisDevice') : undefined}
      aria-label={t('account.signOutOf', { name })}
      onClick={() => end.mutate()}
    >
      {t('account.signOut')}
    </Button>
  )
}
