import { useQuery, useQueryClient } from '@tanstack/react-query'
import { IconPlus, IconWorldPlus } from '@tabler/icons-react'
import { listAddresses } from '@wakestone/contract/servers/addresses-routes'
import { getServer } from '@wakestone/contract/servers/servers-routes'
import { useState } from 'react'
import { answersOf, makeStale, queryOf } from '#app/api/query-of.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { useServerPage } from '../use-server-page.ts'
import { AddressRow } from './address-row.tsx'
import classes from './addresses.module.css'
import { NameDialog, OwnDomainDialog } from './name-dialogs.tsx'
import { PortsCard } from './ports-card.tsx'
import { WhyNot } from './why-not.tsx'

/** While something is waited for, and otherwise. */
const SOON_MS = 3_000
const LATER_MS = 30_000

/** `/s/{identity}/settings/addresses`: the names that players join by, and the ports beside the game's own. */
export default function ServerAddresses() {
  const { t } = useTranslation()
  const { server, canManage } = useServerPage()
  const queries = useQueryClient()
  const [asks, setAsks] = useState<'primary' | 'secondary' | 'own' | null>(null)
  const { data, error, refetch } = useQuery(
    queryOf(
      listAddresses,
      { params: { id: server.id } },
      {
        refetchInterval: ({ state }) =>
          state.data?.domains.some((one) => one.state !== 'works') === true ? SOON_MS : LATER_MS,
      },
    ),
  )
  const changed = () =>
    makeStale(queries, answersOf(listAddresses, { id: server.id }), answersOf(getServer, { id: server.id }))
  const isFull = data !== undefined && data.quota.available === 0
  const whyNot = !canManage
    ? t('addresses.notYours')
    : data?.quota.limit === 0
      ? t('addresses.noneInPlan')
      : isFull
        ? t('addresses.full', { count: data.quota.limit })
        : undefined
  const whyNoOther = !canManage
    ? t('addresses.notYours')
    : data?.quota.limit === 0
      ? t('addresses.noneInPlan')
      : undefined
  return (
    <>
      <PageMeta page="serverAddresses" title={`${t('addresses.title')} · ${server.name}`} />
      <PageHeader title={t('addresses.title')} text={t('addresses.text')} />
      <div className={classes['cards']}>
        {data === undefined ? (
          error === null ? (
            <Skeleton height={280} />
          ) : (
            <ErrorState error={error} onRetry={() => void refetch()} />
          )
        ) : (
          <>
            <Card
              title={t('addresses.names')}
              beside={t('addresses.taken', {
                taken: data.quota.limit - data.quota.available,
                limit: data.quota.limit,
              })}
            >
              <ul className={classes['list']}>
                {data.domains.map((address) => (
                  <AddressRow
                    key={address.id}
                    server={server}
                    address={address}
                    why={canManage ? undefined : t('addresses.notYours')}
                    renaming={{ why: whyNoOther, onRename: () => setAsks('primary') }}
                    onChanged={changed}
                  />
                ))}
              </ul>
              <div className={classes['actions']}>
                <Button icon={<IconPlus />} why={whyNot} onClick={() => setAsks('secondary')}>
                  {t('addresses.add')}
                </Button>
                <Button icon={<IconWorldPlus />} why={whyNot} onClick={() => setAsks('own')}>
                  {t('addresses.addOwn')}
                </Button>
              </div>
              <WhyNot server={server} why={whyNot} isOfPlan={canManage} />
            </Card>
            {data.reserved.length > 0 && (
              <Card title={t('addresses.reserved')}>
                <p className={classes['hint']}>{t('addresses.reservedText')}</p>
                <ul className={classes['reserved']}>
                  {data.reserved.map(({ fqdn, until }) => (
                    <li key={fqdn}>
                      <code>{fqdn}</code>
                      <span className={classes['hint']}>
                        {t('addresses.reservedUntil')} <DateTime value={until} dateOnly />
                      </span>
                    </li>
                  ))}
                </ul>
              </Card>
            )}
          </>
        )}
        <PortsCard server={server} onChanged={changed} />
      </div>
      {asks !== null && asks !== 'own' && data !== undefined && (
        <NameDialog
          serverId={server.id}
          kind={asks}
          zone={data.zone_name}
          present={data.domains.find(({ kind }) => kind === 'primary')?.fqdn ?? ''}
          onClose={() => setAsks(null)}
          onSaved={changed}
        />
      )}
      {asks === 'own' && <OwnDomainDialog serverId={server.id} onClose={() => setAsks(null)} onSaved={changed} />}
    </>
  )
}
