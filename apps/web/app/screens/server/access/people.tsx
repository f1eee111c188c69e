import { useQueryClient } from '@tanstack/react-query'
import { revokeServerAccess, withdrawInvitation } from '@wakestone/contract/accounts/sharing-routes'
import type { Server } from '@wakestone/contract/servers/server'
import type { SentInvitation, ServerPerson } from '@wakestone/contract/accounts/sharing'
import { useState } from 'react'
import { api } from '#app/api/client.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { Rights } from '#app/features/sharing/rights.tsx'
import { accessQuery } from '#app/features/sharing/sharing-queries.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { NamePixels } from '#app/ui/name-pixels.tsx'
import classes from './access.module.css'
import { ChangeDialog } from './rights-dialog.tsx'

/** The owner, whom nobody changes. */
export function OwnerRow({ username }: { username: string }) {
  const { t } = useTranslation()
  return (
    <li className={classes['row']}>
      <NamePixels name={username} size={32} />
      <div className={classes['words']}>
        <b>{username}</b>
        <p className={classes['hint']}>{t('sharing.ownerHint')}</p>
      </div>
      <span className={classes['mark']}>{t('sharing.owner')}</span>
    </li>
  )
}

/** Somebody with access: what they may do, changed or taken by who may. */
export function PersonRow({
  server,
  person,
  grantable,
}: {
  server: Server
  person: ServerPerson
  grantable: readonly string[]
}) {
  const { t } = useTranslation()
  const user = useSignedInUser()
  const queries = useQueryClient()
  const [open, setOpen] = useState<'change' | 'revoke' | null>(null)
  const name = person.username
  const why =
    person.user_id === user.id ? t('sharing.notYourself') : person.can_change ? undefined : t('sharing.notYours')
  const close = () => setOpen(null)
  return (
    <li className={classes['row']}>
      <NamePixels name={name} size={32} />
      <div className={classes['words']}>
        <b>{name}</b>
        <Rights held={person.capabilities} />
        {person.since !== null && person.invited_by !== null && (
          <p className={classes['hint']}>
            {t('sharing.invitedBy', { name: person.invited_by })} <DateTime value={person.since} dateOnly />
          </p>
        )}
      </div>
      <div className={classes['actions']}>
        <Button size="small" why={why} aria-label={t('sharing.changeOf', { name })} onClick={() => setOpen('change')}>
          {t('sharing.change')}
        </Button>
        <Button size="small" why={why} aria-label={t('sharing.revokeOf', { name })} onClick={() => setOpen('revoke')}>
          {t('sharing.revoke')}
        </Button>
      </div>
      {open === 'change' && <ChangeDialog serverId={server.id} grantable={grantable} person={person} onClose={close} />}
      <ConfirmDialog
        opened={open === 'revoke'}
        onClose={close}
        title={t('sharing.revokeTitle', { name })}
        text={t('sharing.revokeText', { name, server: server.name })}
        action={t('sharing.revoke')}
        onConfirm={async () => {
          await api(revokeServerAccess, { params: { id: server.id, userId: person.user_id } })
          await queries.invalidateQueries(accessQuery(server.id))
        }}
      />
    </li>
  )
}

/** An invitation that was sent and not answered. */
export function SentRow({ server, invitation }: { server: Server; invitation: SentInvitation }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const { to } = invitation
  return (
    <li className={classes['row']}>
      <NamePixels name={to} size={32} />
      <div className={classes['words']}>
        <b>{to}</b>
        <Rights held={invitation.capabilities} />
        <p className={classes['hint']}>
          {t('sharing.until')} <DateTime value={invitation.expires_at} dateOnly />
        </p>
      </div>
      <div className={classes['actions']}>
        <Button
          size="small"
          why={invitation.can_change ? undefined : t('sharing.notYours')}
          aria-label={t('sharing.withdrawOf', { to })}
          onClick={() => setOpen(true)}
        >
          {t('sharing.withdraw')}
        </Button>
      </div>
      <ConfirmDialog
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={t('sharing.withdrawTitle')}
        text={t('sharing.withdrawText', { to })}
        action={t('sharing.withdraw')}
        onConfirm={async () => {
          await api(withdrawInvitation, { params: { id: server.id, invitationId: invitation.id } })
          await queries.invalidateQueries(accessQuery(server.id))
        }}
      />
    </li>
  )
}
