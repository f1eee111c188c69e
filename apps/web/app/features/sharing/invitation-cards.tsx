import { useQuery, useQueryClient } from '@tanstack/react-query'
import { acceptInvitation, declineInvitation, listInvitations } from '@wakestone/contract/accounts/sharing-routes'
import type { Invitation } from '@wakestone/contract/accounts/sharing'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { api } from '#app/api/client.ts'
import { answersOf, makeStale } from '#app/api/query-of.ts'
import { aboutUser } from '#app/api/stale-answers.ts'
import { serverPath } from '#app/features/servers/server-names.ts'
import { serverQuery } from '#app/features/servers/server-queries.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { Trans, useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import classes from './invitation-cards.module.css'
import { Rights } from './rights.tsx'
import { invitationsQuery } from './sharing-queries.ts'

/** Invitations that wait for the user's answer; nothing where there are none. */
export function InvitationCards() {
  const { t } = useTranslation()
  const user = useSignedInUser()
  const { data: invitations = [] } = useQuery(invitationsQuery(user.id))
  if (invitations.length === 0) return null
  return (
    <ul className={classes['cards']} aria-label={t('sharing.invitations')}>
      {invitations.map((invitation) => (
        <InvitationCard key={invitation.id} userId={user.id} invitation={invitation} />
      ))}
    </ul>
  )
}

function InvitationCard({ userId, invitation }: { userId: string; invitation: Invitation }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [busy, setBusy] = useState<'accept' | 'decline' | null>(null)
  const [error, setError] = useState<unknown>(undefined)
  const params = { id: userId, invitationId: invitation.id }
  const answer = async (as: 'accept' | 'decline') => {
    setBusy(as)
    setError(undefined)
    try {
      if (as === 'accept') {
        const { server_id } = await api(acceptInvitation, { params })
        await makeStale(queries, answersOf(listInvitations, { id: userId }), ...aboutUser(userId))
        await navigate(serverPath(await queries.fetchQuery(serverQuery(server_id))))
      } else {
        await api(declineInvitation, { params })
        await queries.invalidateQueries(invitationsQuery(userId))
      }
    } catch (failure) {
      setError(failure)
    } finally {
      setBusy(null)
    }
  }
  return (
    <li className={classes['card']}>
      <div className={classes['words']}>
        <p>
          <Trans
            i18nKey="sharing.invitesYou"
            values={{ name: invitation.invited_by, server: invitation.server_name }}
            components={{ b: <b /> }}
          />
        </p>
        <Rights held={invitation.capabilities} />
        <p className={classes['until']}>
          {t('sharing.until')} <DateTime value={invitation.expires_at} dateOnly />
        </p>
      </div>
      <div className={classes['actions']}>
        <Button loading={busy === 'decline'} onClick={() => void answer('decline')}>
          {t('sharing.decline')}
        </Button>
        <Button look="primary" loading={busy === 'accept'} onClick={() => void answer('accept')}>
          {t('sharing.accept')}
        </Button>
      </div>
      {error !== undefined && (
        <div className={classes['error']}>
          <ErrorNote error={error} />
        </div>
      )}
    </li>
  )
}
