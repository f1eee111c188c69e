import { useQueryClient } from '@tanstack/react-query'
import { IconTrash } from '@tabler/icons-react'
import { listUserServers } from '@wakestone/contract/accounts/users-routes'
import { deleteFreeServer } from '@wakestone/contract/sales/billings-routes'
import type { Server } from '@wakestone/contract/servers/server'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { api } from '#app/api/client.ts'
import { answersOf, makeStale } from '#app/api/query-of.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { usePath } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { ConfirmByTyping } from '#app/ui/confirm-by-typing.tsx'
import { WithdrawnNote } from '../withdrawn-note.tsx'
import classes from './settings.module.css'

/** How a server comes to its end: a free one at once, a paid one by the ways that there are for what was paid. */
export function DangerCard({ server, identity }: { server: Server; identity: string }) {
  const { t } = useTranslation()
  return (
    <Card title={t('settings.danger.title')} className={classes['danger']}>
      {server.product_id === 'FREE' ? (
        <Delete server={server} identity={identity} />
      ) : server.withdrawn_at !== null ? (
        <WithdrawnNote className={classes['text']} />
      ) : (
        <div className={classes['form']}>
          <p className={classes['text']}>{t('settings.danger.paidText')}</p>
          <ul className={classes['ways']}>
            <li>
              {t('settings.danger.cancel')} <Link to={`/s/${identity}/payments`}>{t('settings.danger.toCancel')}</Link>
            </li>
            <li>
              {t('settings.danger.withdraw')}{' '}
              <Link to={`/s/${identity}/payments/withdraw`}>{t('settings.danger.toWithdraw')}</Link>
            </li>
          </ul>
        </div>
      )}
    </Card>
  )
}

function Delete({ server, identity }: { server: Server; identity: string }) {
  const { t } = useTranslation()
  const path = usePath()
  const user = useSignedInUser()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [isAsking, setAsking] = useState(false)
  return (
    <div className={classes['form']}>
      <p className={classes['text']}>{t('settings.danger.deleteText')}</p>
      <p className={classes['text']}>
        {t('settings.danger.keepFirst')} <Link to={`/s/${identity}/files`}>{t('settings.danger.files')}</Link>
        {' · '}
        <Link to={`/s/${identity}/backups`}>{t('settings.danger.backups')}</Link>
      </p>
      <Button look="danger" icon={<IconTrash />} onClick={() => setAsking(true)}>
        {t('settings.danger.delete')}
      </Button>
      <ConfirmByTyping
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={t('settings.danger.delete')}
        text={t('settings.danger.ask', { name: server.name })}
        name={server.name}
        action={t('settings.danger.delete')}
        onConfirm={async () => {
          await api(deleteFreeServer, { params: { id: server.service_id } })
          await makeStale(queries, answersOf(listUserServers, { id: user.id }))
          await navigate(path('/s'))
        }}
      />
    </div>
  )
}
