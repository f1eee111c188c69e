import { useQueryClient } from '@tanstack/react-query'
import { leaveServer } from '@wakestone/contract/accounts/sharing-routes'
import type { Server } from '@wakestone/contract/servers/server'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { api } from '#app/api/client.ts'
import { answersOf, makeStale } from '#app/api/query-of.ts'
import { listUserServers } from '@wakestone/contract/accounts/users-routes'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { Rights } from '#app/features/sharing/rights.tsx'
import { useTranslation } from '#app/i18n/texts.tsx'
import { usePath } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import classes from './access.module.css'

/** What a guest may do on a server of somebody else's, and leaving it. */
export function OwnAccessCard({ server }: { server: Server }) {
  const { t } = useTranslation()
  const path = usePath()
  const user = useSignedInUser()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [isLeaving, setLeaving] = useState(false)
  return (
    <Card title={t('sharing.yours')} className={classes['own'] ?? ''}>
      <p className={classes['hint']}>{t('sharing.sharedBy', { name: server.owner_name })}</p>
      <Rights held={server.user_capabilities} />
      <p className={classes['hint']}>{t('sharing.ownerKeeps')}</p>
      <Button look="danger" onClick={() => setLeaving(true)}>
        {t('sharing.leave')}
      </Button>
      <ConfirmDialog
        opened={isLeaving}
        onClose={() => setLeaving(false)}
        title={t('sharing.leaveTitle', { server: server.name })}
        text={t('sharing.leaveText', { name: server.owner_name })}
        action={t('sharing.leave')}
        onConfirm={async () => {
          await api(leaveServer, { params: { id: server.id } })
          await navigate(path('/s'))
          await makeStale(queries, answersOf(listUserServers, { id: user.id }))
        }}
      />
    </Card>
  )
}
