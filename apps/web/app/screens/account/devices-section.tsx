import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import type { ApiClient } from '@wakestone/contract/client'
import { endUserSession, listSessions } from '@wakestone/contract/accounts/account-routes'
import type { Session } from '@wakestone/contract/accounts/user'
import { api } from '#app/api/client.ts'
import { queryOf } from '#app/api/query-of.ts'
import { browserOf } from '@wakestone/contract/browser-name'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { useLanguage } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { showErrorToast } from '#app/ui/toasts.tsx'
import classes from './account.module.css'

export const sessionsQuery = (userId: string, client: ApiClient = api) =>
  queryOf(listSessions, { params: { id: userId } }, { client })

/** Devices that are signed in; each but this one can be signed out. */
export function DevicesSection() {
  const { t } = useTranslation()
  const { id } = useSignedInUser()
  const { data: sessions, error, refetch } = useQuery(sessionsQuery(id))
  return (
    <Card title={t('account.devices')} id="devices">
      {error !== null && sessions === undefined ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : sessions === undefined ? (
        <Skeleton height={120} />
      ) : (
        <ul className={classes['devices']}>
          {sessions.map((session) => (
            <Device key={session.id} userId={id} session={session} />
          ))}
        </ul>
      )}
    </Card>
  )
}

function Device({ userId, session }: { userId: string; session: Session }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const queries = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const { browser, system } = browserOf(session.user_agent)
  const name = [browser ?? t('account.unknownBrowser'), system].filter(Boolean).join(' · ')
  const country =
    session.country_code === null
      ? undefined
      : new Intl.DisplayNames(language, { type: 'region' }).of(session.country_code)
  const signOut = async () => {
    setBusy(true)
    try {
      await api(endUserSession, { params: { id: userId, sessionId: session.id } })
    } catch (failure) {
      showErrorToast(failure)
    } finally {
      await queries.invalidateQueries(sessionsQuery(userId))
      setBusy(false)
    }
  }
  return (
    <li>
      <div className={classes['device']}>
        <b>{name}</b>
        <p>
          {[country, session.ip].filter(Boolean).join(' · ')} ·{' '}
          {session.current ? (
            t('account.usedNow')
          ) : (
            <>
              {t('account.lastUsed')} <DateTime value={session.last_used_at} />
            </>
          )}
        </p>
      </div>
      {session.current ? (
        <span className={classes['here']}>{t('account.thisDevice')}</span>
      ) : (
        <Button
          size="small"
          loading={isBusy}
          aria-label={t('account.signOutOf', { name })}
          onClick={() => void signOut()}
        >
          {t('account.signOut')}
        </Button>
      )}
    </li>
  )
}
