import { useQuery } from '@tanstack/react-query'
import type { ShopDelivery } from '@wakestone/contract/sales/shop'
import { listShopDeliveries, settleShopDelivery } from '@wakestone/contract/sales/shop-routes'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { api } from '#app/api/client.ts'
import { keepWhile, queryOf } from '#app/api/query-of.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { KeysetTable } from '#app/ui/query-table.tsx'
import { SegmentedLinks } from '#app/ui/segmented-links.tsx'
import classes from './shop.module.css'
import type { ShopPart } from './shop.tsx'

const size = 25
const problems = [
  'player_away',
  'server_down',
  'refused',
  'other_answer',
  'unclear',
  'given_back',
  'paid_after_all',
  'by_hand',
] as const

/** Every command of every order: what was sent, and what the game said. */
export function DeliveriesTab({ serverId, onChanged }: ShopPart) {
  const { t } = useTranslation()
  const [search] = useSearchParams()
  const [failure, setFailure] = useState<unknown>(undefined)
  const after = search.get('after') ?? undefined
  const order_id = search.get('order') ?? undefined
  const isOpen = !search.has('all')
  const params = { id: serverId }
  const query = useQuery(
    queryOf(
      listShopDeliveries,
      { params, query: { limit: size + 1, after, order_id, open: isOpen ? 'true' : 'false' } },
      { placeholderData: keepWhile(params), refetchInterval: 5_000 },
    ),
  )
  const settle = async (delivery: ShopDelivery, outcome: 'again' | 'arrived' | 'dropped') => {
    setFailure(undefined)
    try {
      await api(settleShopDelivery, { params: { id: serverId, delivery_id: delivery.id }, body: { outcome } })
    } catch (error) {
      setFailure(error)
    }
    await onChanged()
  }
  const problemOf = ({ problem }: ShopDelivery) => {
    const known = problems.find((one) => one === problem)
    return known === undefined ? undefined : t(`shop.problems.${known}`)
  }
  return (
    <div className={classes['cards']}>
      <SegmentedLinks
        label={t('shop.owner.tabs.deliveries')}
        options={[
          { to: '?tab=deliveries', label: t('shop.owner.openOnly'), active: isOpen },
          { to: '?tab=deliveries&all=1', label: t('shop.owner.all'), active: !isOpen },
        ]}
      />
      {failure !== undefined && <ErrorNote error={failure} />}
      <KeysetTable
        label={t('shop.owner.tabs.deliveries')}
        query={query}
        size={size}
        rowKey={({ id }) => id}
        empty={
          <EmptyState title={t('shop.owner.noDeliveries')} text={t('shop.owner.noDeliveriesText')} figure="none" />
        }
        columns={[
          { key: 'at', header: t('shop.order.at'), cell: (row) => <DateTime value={row.created_at} /> },
          {
            key: 'what',
            header: t('shop.what'),
            phone: 'title',
            cell: (row) => (row.player === null ? row.about : `${row.about} · ${row.player}`),
          },
          {
            key: 'command',
            header: t('shop.owner.command'),
            cell: (row) => (
              <span>
                <span className={classes['muted']}>{t(`shop.stages.${row.stage as 'purchase'}`)} </span>
                <code className={classes['code']}>{row.command}</code>
              </span>
            ),
          },
          {
            key: 'state',
            header: t('shop.owner.state'),
            cell: (row) => (
              <span>
                <span className={classes['state']} data-state={row.state}>
                  {t(`shop.deliveryStates.${row.state}`)}
                </span>
                {problemOf(row) !== undefined && <span className={classes['muted']}> {problemOf(row)}</span>}
              </span>
            ),
          },
          {
            key: 'said',
            header: t('shop.owner.said'),
            cell: (row) => <code className={classes['code']}>{row.said === '' ? '–' : row.said}</code>,
          },
          {
            key: 'actions',
            header: t('shop.owner.actions'),
            phone: 'buttons',
            cell: (row) =>
              row.state === 'failed' ||
              row.state === 'unclear' ||
              row.state === 'waiting' ||
              row.state === 'dropped' ? (
                <span className={classes['actions']}>
                  {row.state !== 'waiting' && row.problem !== 'given_back' && (
                    <Button size="small" onClick={() => void settle(row, 'again')}>
                      {t('shop.owner.again')}
                    </Button>
                  )}
                  {row.state !== 'dropped' && (
                    <>
                      <Button size="small" look="quiet" onClick={() => void settle(row, 'arrived')}>
                        {t('shop.owner.arrived')}
                      </Button>
                      <Button size="small" look="quiet" onClick={() => void settle(row, 'dropped')}>
                        {t('shop.owner.drop')}
                      </Button>
                    </>
                  )}
                </span>
              ) : (
                '–'
              ),
          },
        ]}
      />
    </div>
  )
}
