import { IconCheck, IconClock, IconX } from '@tabler/icons-react'
import { ApiError } from '@wakestone/contract/client'
import { idSchema } from '@wakestone/contract/primitives'
import type { OrderPage } from '@wakestone/contract/sales/shop'
import { getShopOrder, returnToShopOrder } from '@wakestone/contract/sales/shop-front-routes'
import { useEffect } from 'react'
import { data, useRevalidator } from 'react-router'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat, usePath } from '#app/i18n/use-format.ts'
import { webContext } from '#app/load-context.ts'
import { LinkButton } from '#app/ui/button.tsx'
import { KeyValueList } from '#app/ui/key-value-list.tsx'
import { Money } from '#app/ui/money.tsx'
import { StatusPage } from '#app/ui/status-page.tsx'
import type { Route } from './+types/order'
import { ShopFrame } from './shop-frame.tsx'
import classes from './shop.module.css'
import { NoShop } from './shop.tsx'

const lookAgainMilliseconds = 3_000

export async function loader({ request, params: { orderId }, context }: Route.LoaderArgs) {
  const { api } = context.get(webContext)
  const { searchParams } = new URL(request.url)
  const key = searchParams.get('key') ?? ''
  const back = searchParams.get('back')
  const id = idSchema.safeParse(orderId)
  if (!id.success) return data({ order: null, goes: false }, { status: 404 })
  const params = { order_id: id.data }
  try {
    const order =
      back === null
        ? await api(getShopOrder, { params, query: { key } })
        : await api(returnToShopOrder, { params, body: { key, cancelled: back === 'cancel' } }).catch(() =>
            api(getShopOrder, { params, query: { key } }),
          )
    return data({ order, goes: searchParams.has('go') && order.state === 'waiting' && order.redirect_url !== null })
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error
    return data({ order: null, goes: false }, { status: 404 })
  }
}

const isMoving = (order: OrderPage | null) =>
  order !== null && (order.state === 'waiting' || (order.state === 'paid' && order.delivered < order.deliveries))

/** `/{lang}/shop/order/{order}`: what became of an order, for whoever has its address. */
export default function ShopOrderPage({ loaderData: { order, goes } }: Route.ComponentProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const path = usePath()
  const { revalidate } = useRevalidator()
  const moves = isMoving(order) && !goes
  useEffect(() => {
    if (!moves) return
    const timer = setInterval(() => void revalidate(), lookAgainMilliseconds)
    return () => clearInterval(timer)
  }, [moves, revalidate])
  if (order === null) return <NoShop />
  const { state, delivered, deliveries, redirect_url: payAt } = order
  const isDone = state === 'paid' && delivered >= deliveries
  const tone = state === 'failed' || state === 'charged_back' ? 'bad' : isDone ? 'good' : 'plain'
  const text =
    state === 'paid' && !isDone
      ? t(order.waits_for_player ? 'shop.order.waitsForPlayer' : 'shop.order.underWay', { player: order.player })
      : t(`shop.order.text.${state}`, { player: order.player })
  return (
    <ShopFrame
      title={order.shop_title}
      picture={order.shop_picture}
      to={order.shop_path === '' ? undefined : path(order.shop_path)}
      seller={order.seller}
      isNarrow
    >
      <PageMeta page="shopOrder" title={`${order.item} · ${order.shop_title}`} isOwn />
      {/* The browser goes on by itself: a form may not lead to another site. */}
      {goes && payAt !== null && <meta httpEquiv="refresh" content={`0;url=${payAt}`} />}
      <StatusPage
        tone={tone}
        icon={tone === 'bad' ? <IconX /> : isDone ? <IconCheck /> : <IconClock />}
        title={t(`shop.order.title.${state}`)}
        text={text}
      >
        {state === 'waiting' && payAt !== null && (
          <a href={payAt} className={classes['total']}>
            {t('shop.order.goOn')}
          </a>
        )}
        {order.shop_path !== '' && <LinkButton to={path(order.shop_path)}>{t('shop.order.back')}</LinkButton>}
      </StatusPage>
      <KeyValueList
        rows={[
          { key: t('shop.what'), value: `${order.item}${order.quantity > 1 ? ` × ${order.quantity}` : ''}` },
          { key: t('shop.for'), value: order.player },
          ...(order.giver === null ? [] : [{ key: t('shop.from'), value: order.giver }]),
          { key: t('shop.server'), value: order.server_name },
          { key: t('shop.order.total'), value: <Money value={order.total} /> },
          { key: t('shop.order.at'), value: format.dateTime(order.created_at) },
          ...(order.until === null ? [] : [{ key: t('shop.until'), value: format.dateTime(order.until) }]),
          ...(state === 'paid' && deliveries > 0
            ? [
                {
                  key: t('shop.order.delivered'),
                  value: t('shop.order.deliveredOf', { done: delivered, all: deliveries }),
                },
              ]
            : []),
          { key: t('shop.order.number'), value: <code>{order.id}</code> },
        ]}
      />
      <p className={classes['muted']}>{t('shop.order.keep')}</p>
    </ShopFrame>
  )
}
