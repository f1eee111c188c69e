import { useQuery } from '@tanstack/react-query'
import { IconUserPlus } from '@tabler/icons-react'
import { canShareServer } from '@wakestone/contract/capabilities'
import type { Server } from '@wakestone/contract/servers/server'
import { useState } from 'react'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { accessQuery } from '#app/features/sharing/sharing-queries.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { useServerPage } from '../use-server-page.ts'
import classes from './access.module.css'
import { OwnAccessCard } from './own-access-card.tsx'
import { OwnerRow, PersonRow, SentRow } from './people.tsx'
import { InviteDialog } from './rights-dialog.tsx'

/** `/s/{identity}/settings/access`: who may use the server; for a guest, what they may do and the way out. */
export default function ServerAccess() {
  const { t } = useTranslation()
  const user = useSignedInUser()
  const { server } = useServerPage()
  const isGuest = Object.keys(server.user_capabilities).length > 0 && server.owner_id !== user.id
  const canShare = canShareServer(user.user_capabilities, server.user_capabilities)
  return (
    <>
      <PageMeta page="serverAccess" title={`${t('sharing.title')} · ${server.name}`} />
      {canShare ? <People server={server} /> : <PageHeader title={t('sharing.title')} text={t('sharing.guestText')} />}
      {isGuest && <OwnAccessCard server={server} />}
    </>
  )
}

function People({ server }: { server: Server }) {
  const { t } = useTranslation()
  const [isInviting, setInviting] = useState(false)
  const { data: access, error, refetch } = useQuery(accessQuery(server.id))
  const taken = access === undefined ? 0 : access.people.length + access.invitations.length
  const isFull = access !== undefined && taken >= access.limit
  return (
    <>
      <PageHeader
        title={t('sharing.title')}
        text={t('sharing.text')}
        actions={
          <Button
            look="primary"
            icon={<IconUserPlus />}
            why={isFull ? t('sharing.full', { count: access.limit }) : undefined}
            onClick={() => setInviting(true)}
          >
            {t('sharing.invite')}
          </Button>
        }
      />
      {access === undefined ? (
        error !== null ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : (
          <Skeleton height={220} />
        )
      ) : (
        <div className={classes['cards']}>
          <Card title={t('sharing.people')} beside={t('sharing.taken', { taken, limit: access.limit })}>
            <ul className={classes['list']}>
              <OwnerRow username={access.owner.username} />
              {access.people.map((person) => (
                <PersonRow key={person.user_id} server={server} person={person} grantable={access.grantable} />
              ))}
            </ul>
            {taken === 0 && <EmptyState title={t('sharing.emptyTitle')} text={t('sharing.emptyText')} figure="none" />}
          </Card>
          {access.invitations.length > 0 && (
            <Card title={t('sharing.waiting')}>
              <ul className={classes['list']}>
                {access.invitations.map((invitation) => (
                  <SentRow key={invitation.id} server={server} invitation={invitation} />
                ))}
              </ul>
            </Card>
          )}
        </div>
      )}
      {isInviting && access !== undefined && (
        <InviteDialog serverId={server.id} grantable={access.grantable} onClose={() => setInviting(false)} />
      )}
    </>
  )
}
