import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ShopOrder } from '@wakestone/contract/sales/shop'
import { listShopOrders, refundShopOrder } from '@wakestone/contract/sales/shop-routes'
import { type SubmitEvent, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { api } from '#app/api/client.ts'
import { keepWhile, queryOf } from '#app/api/query-of.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { DialogForm } from '#app/ui/dialog-form.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Modal } from '#app/ui/modal.tsx'
import { Money } from '#app/ui/money.tsx'
import { KeysetTable } from '#app/ui/query-table.tsx'
import type { ShopPart } from './shop.tsx'

const size = 25

/** Who ordered what, and how far it has come. */
export function OrdersTab({ serverId, isOwner, onChanged }: ShopPart) {
  const { t } = useTranslation()
  const [search] = useSearchParams()
  const [refunded, setRefunded] = useState<ShopOrder | null>(null)
  const after = search.get('after') ?? undefined
  const params = { id: serverId }
  const query = useQuery(
    queryOf(
      listShopOrders,
      { params, query: { limit: size + 1, after } },
      { placeholderData: keepWhile(params), refetchInterval: 10_000 },
    ),
  )
  const whyNot = (order: ShopOrder) =>
    order.state !== 'paid'
      ? t('shop.owner.notPaid')
      : order.total.amount === 0
        ? t('shop.owner.wasFree')
        : !isOwner
          ? t('shop.owner.ownerOnly')
          : undefined
  return (
    <>
      <KeysetTable
        label={t('shop.owner.tabs.orders')}
        query={query}
        size={size}
        rowKey={({ id }) => id}
        empty={<EmptyState title={t('shop.owner.noOrders')} text={t('shop.owner.noOrdersText')} figure="none" />}
        columns={[
          { key: 'at', header: t('shop.order.at'), cell: (order) => <DateTime value={order.created_at} /> },
          {
            key: 'item',
            header: t('shop.what'),
            phone: 'title',
            cell: (order) => `${order.item}${order.quantity > 1 ? ` × ${order.quantity}` : ''}`,
          },
          {
            key: 'player',
            header: t('shop.for'),
            cell: (order) =>
              order.giver === null ? order.player : t('shop.owner.gift', { player: order.player, giver: order.giver }),
          },
          { key: 'total', header: t('shop.order.total'), align: 'end', cell: (order) => <Money value={order.total} /> },
          { key: 'state', header: t('shop.owner.state'), cell: (order) => t(`shop.orderStates.${order.state}`) },
          {
            key: 'delivered',
            header: t('shop.order.delivered'),
            cell: (order) => (
              <Link to={`?tab=deliveries&all=1&order=${order.id}`}>
                {order.deliveries === 0
                  ? '–'
                  : t('shop.order.deliveredOf', { done: order.delivered, all: order.deliveries })}
                {order.trouble > 0 && ` · ${t('shop.owner.trouble', { count: order.trouble })}`}
              </Link>
            ),
          },
          {
            key: 'refund',
            header: t('shop.owner.actions'),
            phone: 'buttons',
            cell: (order) =>
              // The state says it.
              order.state === 'refunded' || order.state === 'charged_back' ? null : (
                <Button size="small" look="quiet" why={whyNot(order)} onClick={() => setRefunded(order)}>
                  {t('shop.owner.refund')}
                </Button>
              ),
          },
        ]}
      />
      {refunded !== null && (
        <RefundDialog serverId={serverId} order={refunded} onClose={() => setRefunded(null)} onDone={onChanged} />
      )}
    </>
  )
}

function RefundDialog({
  serverId,
  order,
  onClose,
  onDone,
}: {
  serverId: string
  order: ShopOrder
  onClose: () => void
  onDone: () => Promise<unknown>
}) {
  const { t } = useTranslation()
  const format = useFormat()
  const [reason, setReason] = useState('')
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(undefined)
  const send = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    setBusy(true)
    setFailure(undefined)
    try {
      await api(refundShopOrder, { params: { id: serverId, order_id: order.id }, body: { reason } })
      await onDone()
      onClose()
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Modal opened onClose={onClose} title={t('shop.owner.refundTitle', { item: order.item, player: order.player })}>
      <DialogForm
        onSubmit={send}
        onCancel={onClose}
        action={t('shop.owner.refund')}
        look="danger"
        busy={busy}
        failure={failure}
        why={reason.trim().length < 3 ? t('shop.owner.reasonFirst') : undefined}
      >
        <p>{t('shop.owner.refundText', { total: format.money(order.total) })}</p>
        <TextInput
          label={t('shop.owner.reason')}
          description={t('shop.owner.reasonHint')}
          value={reason}
          maxLength={500}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      </DialogForm>
    </Modal>
  )
}
