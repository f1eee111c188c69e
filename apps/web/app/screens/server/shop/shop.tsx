import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Shop } from '@wakestone/contract/sales/shop'
import { getShop, listShopDeliveries, listShopOrders } from '@wakestone/contract/sales/shop-routes'
import { useSearchParams } from 'react-router'
import { answersOf, makeStale, queryOf } from '#app/api/query-of.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { usePath } from '#app/i18n/use-format.ts'
import { LinkButton } from '#app/ui/button.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { TabLinks } from '#app/ui/tab-links.tsx'
import { ManagersOnly } from '../managers-only.tsx'
import { useServerPage } from '../use-server-page.ts'
import { DealsTab } from './deals-tab.tsx'
import { DeliveriesTab } from './deliveries-tab.tsx'
import { ItemsTab } from './items-tab.tsx'
import { OrdersTab } from './orders-tab.tsx'
import { SettingsTab } from './settings-tab.tsx'

const tabs = ['items', 'orders', 'deliveries', 'deals', 'settings'] as const

/** What the parts of this screen share. */
export type ShopPart = { serverId: string; shop: Shop; isOwner: boolean; onChanged: () => Promise<unknown> }

/** `/s/{identity}/shop`: what the server sells to its players, and what became of it. */
export default function ServerShop() {
  const { t } = useTranslation()
  const path = usePath()
  const { server, identity, canManage } = useServerPage()
  const isOwner = useSignedInUser().id === server.owner_id
  const queries = useQueryClient()
  const [search] = useSearchParams()
  const tab = tabs.find((one) => one === search.get('tab')) ?? 'items'
  const params = { id: server.id }
  const { data, error, refetch } = useQuery({ ...queryOf(getShop, { params }), enabled: canManage })
  const onChanged = () =>
    makeStale(
      queries,
      answersOf(getShop, params),
      answersOf(listShopOrders, params),
      answersOf(listShopDeliveries, params),
    )
  const Part = {
    items: ItemsTab,
    orders: OrdersTab,
    deliveries: DeliveriesTab,
    deals: DealsTab,
    settings: SettingsTab,
  }[tab]
  return (
    <>
      <PageMeta page="serverShop" title={`${t('shop.nav')} · ${server.name}`} />
      <PageHeader
        title={t('shop.nav')}
        text={t('shop.owner.text')}
        actions={data?.open === true && <LinkButton to={path(data.path)}>{t('shop.owner.look')}</LinkButton>}
      />
      {!canManage ? (
        <ManagersOnly server={server} identity={identity} />
      ) : (
        <>
          <TabLinks
            label={t('shop.nav')}
            tabs={tabs.map((one) => ({
              to: one === 'items' ? '?' : `?tab=${one}`,
              label: t(`shop.owner.tabs.${one}`),
              active: one === tab,
            }))}
          />
          {data === undefined ? (
            error === null ? (
              <Skeleton height={220} />
            ) : (
              <ErrorState error={error} onRetry={() => void refetch()} />
            )
          ) : (
            <Part serverId={server.id} shop={data} isOwner={isOwner} onChanged={onChanged} />
          )}
        </>
      )}
    </>
  )
}
