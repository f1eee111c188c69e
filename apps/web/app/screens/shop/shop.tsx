import { ApiError } from '@wakestone/contract/client'
import type { PublicItem, PublicShop } from '@wakestone/contract/sales/shop'
import { getPublicShop } from '@wakestone/contract/sales/shop-front-routes'
import { data } from 'react-router'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat, usePath } from '#app/i18n/use-format.ts'
import { webContext } from '#app/load-context.ts'
import { LinkButton } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Money } from '#app/ui/money.tsx'
import { StatusPage } from '#app/ui/status-page.tsx'
import type { Route } from './+types/shop'
import { Seller } from './seller.tsx'
import classes from './shop.module.css'

export async function loader({ params: { server }, context }: Route.LoaderArgs) {
  const { api } = context.get(webContext)
  try {
    return data({ shop: await api(getPublicShop, { params: { server } }) })
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error
    return data({ shop: null }, { status: 404 })
  }
}

/** `/{lang}/shop/{server}`: what a server sells to its players. */
export default function ShopPage({ loaderData: { shop }, params: { server } }: Route.ComponentProps) {
  const { t } = useTranslation()
  const format = useFormat()
  if (shop === null) return <NoShop />
  const groups = shop.categories
    .map(({ id, name }) => ({ id, name, items: shop.items.filter(({ category_id }) => category_id === id) }))
    .filter(({ items }) => items.length > 0)
  const others = shop.items.filter(
    ({ category_id }) => category_id === null || !shop.categories.some(({ id }) => id === category_id),
  )
  return (
    <div className={classes['page']}>
      <PageMeta page="shop" title={shop.title} isPublic />
      <header className={classes['head']}>
        <h1>{shop.title}</h1>
        <p className={classes['muted']}>{t('shop.of', { server: shop.server_name })}</p>
        {shop.intro !== '' && <p className={classes['lead']}>{shop.intro}</p>}
      </header>
      <Goals shop={shop} />
      {shop.items.length === 0 && <EmptyState title={t('shop.emptyTitle')} text={t('shop.emptyText')} figure="owl" />}
      {groups.map(({ id, name, items }) => (
        <section key={id} className={classes['group']} aria-label={name}>
          <h2>{name}</h2>
          <Items server={server} items={items} />
        </section>
      ))}
      {others.length > 0 && (
        <section className={classes['group']} aria-label={t('shop.others')}>
          <h2 className={groups.length > 0 ? undefined : 'visually-hidden'}>{t('shop.others')}</h2>
          <Items server={server} items={others} />
        </section>
      )}
      {shop.recent.length > 0 && (
        <section className={classes['group']}>
          <h2>{t('shop.recent')}</h2>
          <ul className={classes['recent']}>
            {shop.recent.map(({ player, item, at }) => (
              <li key={`${player} ${at}`}>
                <span>{t('shop.got', { player, item })}</span>
                <time className={classes['muted']} dateTime={at}>
                  {format.date(at)}
                </time>
              </li>
            ))}
          </ul>
        </section>
      )}
      <Seller seller={shop.seller} />
    </div>
  )
}

export function NoShop() {
  const { t } = useTranslation()
  const path = usePath()
  return (
    <>
      <PageMeta page="shop" />
      <StatusPage figure="owl" code={404} title={t('shop.missingTitle')} text={t('shop.missingText')}>
        <LinkButton to={path('')}>{t('error.home')}</LinkButton>
      </StatusPage>
    </>
  )
}

function Items({ server, items }: { server: string; items: readonly PublicItem[] }) {
  const { t } = useTranslation()
  const path = usePath()
  return (
    <ul className={classes['items']}>
      {items.map((item) => (
        <li key={item.id} className={classes['item']}>
          <div className={classes['words']}>
            <h3>{item.name}</h3>
            {item.description !== '' && <p className={classes['preview']}>{item.description}</p>}
            {item.days !== null && <p className={classes['muted']}>{t('shop.days', { count: item.days })}</p>}
          </div>
          <div className={classes['buy']}>
            <span className={classes['price']}>
              {item.price.amount === 0 ? t('shop.free') : <Money value={item.price} />}
            </span>
            {item.sold_out ? (
              <span className={classes['muted']}>{t('shop.soldOut')}</span>
            ) : (
              <LinkButton
                size="small"
                to={path(`/shop/${server}/${item.id}`)}
                aria-label={t('shop.chooseItem', { item: item.name })}
              >
                {t('shop.choose')}
              </LinkButton>
            )}
          </div>
        </li>
      ))}
    </ul>
  )
}

function Goals({ shop: { goals, currency } }: { shop: PublicShop }) {
  const { t } = useTranslation()
  if (goals.length === 0) return null
  return (
    <section className={classes['group']}>
      <h2>{t('shop.goals')}</h2>
      <ul className={classes['goals']}>
        {goals.map(({ id, title, target, reached, reached_at }) => (
          <li key={id} className={classes['goal']}>
            <p>
              <span>{title}</span>
              <span className={classes['muted']}>
                {reached_at !== null && `${t('shop.goalReached')} · `}
                <Money value={{ amount: Math.max(0, reached), currency }} /> /{' '}
                <Money value={{ amount: target, currency }} />
              </span>
            </p>
            <progress aria-label={title} max={target} value={Math.min(target, Math.max(0, reached))} />
          </li>
        ))}
      </ul>
    </section>
  )
}
