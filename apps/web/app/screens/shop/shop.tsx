import { ApiError } from '@wakestone/contract/client'
import type { PublicItem, PublicShop } from '@wakestone/contract/sales/shop'
import { getPublicShop } from '@wakestone/contract/sales/shop-front-routes'
import { data } from 'react-router'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { PublicFrame } from '#app/features/shell/public-frame.tsx'
import { ItemCard } from '#app/features/shop/item-card.tsx'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat, usePath } from '#app/i18n/use-format.ts'
import { webContext } from '#app/load-context.ts'
import { LinkButton } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Money } from '#app/ui/money.tsx'
import { NamePixels } from '#app/ui/name-pixels.tsx'
import { StatusPage } from '#app/ui/status-page.tsx'
import type { Route } from './+types/shop'
import { OwnerText } from './owner-text.tsx'
import { ShopFrame } from './shop-frame.tsx'
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
  if (shop === null) return <NoShop />
  const groups = shop.categories
    .map(({ id, name }) => ({ id, name, items: shop.items.filter(({ category_id }) => category_id === id) }))
    .filter(({ items }) => items.length > 0)
  const others = shop.items.filter(
    ({ category_id }) => category_id === null || !shop.categories.some(({ id }) => id === category_id),
  )
  const sections = [
    ...groups.map((group) => ({ ...group, isNamed: true })),
    ...(others.length > 0 ? [{ id: 'others', name: t('shop.others'), items: others, isNamed: groups.length > 0 }] : []),
  ]
  const hasAside = shop.goals.length > 0 || shop.recent.length > 0
  return (
    <ShopFrame title={shop.title} picture={shop.picture} status={shop.status} seller={shop.seller}>
      <PageMeta
        page="shop"
        title={shop.title}
        isPublic
        isOwn
        {...(shop.excerpt !== '' && { description: shop.excerpt })}
      />
      <OwnerText html={shop.intro_html} text={shop.intro} />
      {sections.length > 1 && (
        <nav className={classes['categories']} aria-label={t('shop.categories')}>
          {sections.map(({ id, name }) => (
            <a key={id} href={`#c-${id}`}>
              {name}
            </a>
          ))}
        </nav>
      )}
      <div className={classes['columns']} data-aside={hasAside}>
        <div className={classes['groups']}>
          {sections.length === 0 && <EmptyState title={t('shop.emptyTitle')} text={t('shop.emptyText')} figure="owl" />}
          {sections.map(({ id, name, items, isNamed }) => (
            <section key={id} id={`c-${id}`} className={classes['group']} aria-label={name}>
              <h2 className={isNamed ? undefined : 'visually-hidden'}>{name}</h2>
              <Items server={server} items={items} />
            </section>
          ))}
        </div>
        {hasAside && (
          <aside className={classes['aside']}>
            <Goals shop={shop} />
            <Recent recent={shop.recent} />
          </aside>
        )}
      </div>
    </ShopFrame>
  )
}

function Recent({ recent }: Pick<PublicShop, 'recent'>) {
  const { t } = useTranslation()
  const format = useFormat()
  if (recent.length === 0) return null
  return (
    <section className={classes['group']}>
      <h2>{t('shop.recent')}</h2>
      <ul className={classes['recent']}>
        {recent.map(({ player, item, at }) => (
          <li key={`${player} ${at}`}>
            <NamePixels name={player} size={28} />
            <span>
              <strong>{player}</strong>
              <br />
              {item}
            </span>
            <time dateTime={at}>{format.date(at)}</time>
          </li>
        ))}
      </ul>
    </section>
  )
}

export function NoShop() {
  const { t } = useTranslation()
  const path = usePath()
  return (
    <PublicFrame>
      <PageMeta page="shop" />
      <StatusPage figure="owl" code={404} title={t('shop.missingTitle')} text={t('shop.missingText')}>
        <LinkButton to={path('')}>{t('error.home')}</LinkButton>
      </StatusPage>
    </PublicFrame>
  )
}

function Items({ server, items }: { server: string; items: readonly PublicItem[] }) {
  const { t } = useTranslation()
  const path = usePath()
  return (
    <ul className={classes['items']}>
      {items.map((item) => (
        <li key={item.id}>
          <ItemCard item={item}>
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
          </ItemCard>
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
