import type { PublicItem } from '@wakestone/contract/sales/shop'
import type { ReactNode } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Money } from '#app/ui/money.tsx'
import classes from './item-card.module.css'
import { ItemPicture } from './item-picture.tsx'

/** An item as it stands in the shop; `children` is what can be done with it. */
export function ItemCard({
  item,
  children,
}: {
  item: Pick<PublicItem, 'name' | 'picture' | 'excerpt' | 'days' | 'price'>
  children?: ReactNode
}) {
  const { t } = useTranslation()
  return (
    <article className={classes['item']}>
      <ItemPicture item={item} />
      <div className={classes['words']}>
        <h3>{item.name}</h3>
        {item.excerpt !== '' && <p className={classes['preview']}>{item.excerpt}</p>}
        {item.days !== null && <p className={classes['days']}>{t('shop.days', { count: item.days })}</p>}
      </div>
      <div className={classes['buy']}>
        <span className={classes['price']}>
          {item.price.amount === 0 ? t('shop.free') : <Money value={item.price} />}
        </span>
        {children}
      </div>
    </article>
  )
}
