import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Mysql } from '@wakestone/contract/servers/mysql'
import { deleteMysql, getMysql, listMysqlTables, renewMysqlPassword } from '@wakestone/contract/servers/mysql-routes'
import { useState } from 'react'
import { api } from '#app/api/client.ts'
import { queryOf } from '#app/api/query-of.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Address } from '#app/ui/address.tsx'
import { Button, LinkButton } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { CodeBlock } from '#app/ui/code-block.tsx'
import { ConfirmByTyping } from '#app/ui/confirm-by-typing.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { KeyValueList } from '#app/ui/key-value-list.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { showErrorToast } from '#app/ui/toasts.tsx'
import { ManagersOnly } from '../managers-only.tsx'
import { useServerPage } from '../use-server-page.ts'
import classes from './mysql.module.css'
import { TablesCard } from './tables-card.tsx'

/** `/s/{identity}/mysql`: the database of this server's plugins. */
export default function ServerMysql() {
  const { t } = useTranslation()
  const { server, identity, canManage } = useServerPage()
  const queries = useQueryClient()
  const query = queryOf(getMysql, { params: { id: server.id } })
  const { data, error, refetch } = useQuery(query)
  const [made, setMade] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const make = async () => {
    const { password } = await api(renewMysqlPassword, { params: { id: server.id } })
    setMade(password)
    await queries.invalidateQueries(query)
  }
  const makeFirst = async () => {
    setBusy(true)
    await make().catch((failure: unknown) => showErrorToast(failure, t('mysql.create')))
    setBusy(false)
  }
  const remove = async () => {
    await api(deleteMysql, { params: { id: server.id } })
    setMade(null)
    queries.removeQueries(queryOf(listMysqlTables, { params: { id: server.id } }))
    await queries.invalidateQueries(query)
  }
  return (
    <>
      <PageMeta page="serverMysql" title={`${t('mysql.title')} · ${server.name}`} />
      <PageHeader title={t('mysql.title')} text={t('mysql.text')} />
      {!canManage ? (
        <ManagersOnly server={server} identity={identity} />
      ) : data === undefined ? (
        error === null ? (
          <Skeleton height={280} />
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )
      ) : data.limit === 0 ? (
        <Card>
          <EmptyState
            title={t('mysql.notInPlanTitle')}
            text={t('mysql.notInPlanText')}
            action={<LinkButton to={`/s/${identity}/payments/upgrade`}>{t('mysql.toPlans')}</LinkButton>}
            figure="none"
          />
        </Card>
      ) : data.created_at === null ? (
        <Card>
          <EmptyState
            title={t('mysql.noneTitle')}
            text={t('mysql.noneText')}
            action={
              <Button look="primary" loading={isBusy} onClick={() => void makeFirst()}>
                {t('mysql.create')}
              </Button>
            }
            figure="none"
          />
        </Card>
      ) : (
        <div className={classes['cards']}>
          <AccessCard mysql={data} made={made} onSeen={() => setMade(null)} onRenew={make} />
          <TablesCard serverId={server.id} serverName={server.name} />
          <RemoveCard name={data.database} onRemove={remove} />
        </div>
      )}
    </>
  )
}

function AccessCard({
  mysql,
  made,
  onSeen,
  onRenew,
}: {
  mysql: Mysql
  made: string | null
  onSeen: () => void
  onRenew: () => Promise<void>
}) {
  const { t } = useTranslation()
  const [asks, setAsks] = useState(false)
  const { host, port, database, username, password_created_at: madeAt } = mysql
  return (
    <Card title={t('mysql.access')}>
      <div className={classes['parts']}>
        <div className={classes['access']}>
          <KeyValueList
            rows={[
              { key: t('mysql.host'), value: <Address address={host} kind="host" /> },
              { key: t('mysql.port'), value: <Address address={String(port)} kind="port" /> },
              { key: t('mysql.database'), value: <Address address={database} kind="database" /> },
              { key: t('mysql.username'), value: <Address address={username} kind="username" /> },
              {
                key: t('mysql.url'),
                value: <Address address={`jdbc:mysql://${host}:${port}/${database}`} kind="url" />,
              },
            ]}
          />
        </div>
        <div className={classes['row']}>
          {madeAt !== null && (
            <p>
              {t('mysql.passwordMade')} <DateTime value={madeAt} />
            </p>
          )}
          <Button onClick={() => setAsks(true)}>{t('mysql.renew')}</Button>
        </div>
        <div aria-live="polite">
          {made !== null && (
            <div className={classes['made']}>
              <p>{t('mysql.shownText')}</p>
              <CodeBlock name={t('mysql.shownTitle')} text={made} />
              <Button onClick={onSeen}>{t('mysql.seen')}</Button>
            </div>
          )}
        </div>
      </div>
      <ConfirmDialog
        opened={asks}
        onClose={() => setAsks(false)}
        title={t('mysql.renewTitle')}
        text={t('mysql.renewText')}
        action={t('mysql.renew')}
        onConfirm={onRenew}
      />
    </Card>
  )
}

function RemoveCard({ name, onRemove }: { name: string; onRemove: () => Promise<void> }) {
  const { t } = useTranslation()
  const [asks, setAsks] = useState(false)
  return (
    <Card title={t('mysql.danger')}>
      <div className={classes['row']}>
        <p>{t('mysql.deleteText')}</p>
        <Button look="danger" onClick={() => setAsks(true)}>
          {t('mysql.delete')}
        </Button>
      </div>
      <ConfirmByTyping
        opened={asks}
        onClose={() => setAsks(false)}
        title={t('mysql.deleteTitle')}
        text={t('mysql.deleteText')}
        name={name}
        action={t('mysql.delete')}
        onConfirm={onRemove}
      />
    </Card>
  )
}
