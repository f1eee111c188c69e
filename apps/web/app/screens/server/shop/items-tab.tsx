import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { type ShopItem, shopLimits } from '@wakestone/contract/sales/shop'
import { shopPictureUrl } from '@wakestone/contract/sales/shop-picture-transport'
import { deleteShopItem } from '@wakestone/contract/sales/shop-routes'
import { useState } from 'react'
import { api } from '#app/api/client.ts'
import { ItemPicture } from '#app/features/shop/item-picture.tsx'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button, LinkButton } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Money } from '#app/ui/money.tsx'
import { CategoriesDialog } from './categories-dialog.tsx'
import { ItemDialog } from './item-dialog.tsx'
import classes from './shop.module.css'
import type { ShopPart } from './shop.tsx'

/** What is on sale. */
export function ItemsTab({ serverId, shop, onChanged }: ShopPart) {
  const { t } = useTranslation()
  const [edited, setEdited] = useState<ShopItem | 'new' | null>(null)
  const [removed, setRemoved] = useState<ShopItem | null>(null)
  const [sorts, setSorts] = useState(false)
  const { items, categories, currency } = shop
  const isFull = items.length >= shopLimits.items
  const categoryOf = (id: string | null) => categories.find((one) => one.id === id)?.name
  return (
    <div className={classes['cards']}>
      <div className={classes['actions']}>
        <Button
          look="primary"
          icon={<IconPlus />}
          why={isFull ? t('shop.owner.full', { count: shopLimits.items }) : undefined}
          onClick={() => setEdited('new')}
        >
          {t('shop.owner.addItem')}
        </Button>
        <Button onClick={() => setSorts(true)}>{t('shop.owner.categories')}</Button>
      </div>
      {!shop.open && (
        <div className={classes['warning']}>
          <p>{t('shop.owner.closed')}</p>
          <div>
            <LinkButton size="small" to="?tab=settings">
              {t('shop.owner.toOpening')}
            </LinkButton>
          </div>
        </div>
      )}
      {items.length === 0 ? (
        <Card>
          <EmptyState title={t('shop.owner.noItems')} text={t('shop.owner.noItemsText')} figure="none" />
        </Card>
      ) : (
        items.map((item) => (
          <Card
            key={item.id}
            title={item.name}
            beside={item.price === 0 ? t('shop.free') : <Money value={{ amount: item.price, currency }} />}
          >
            <div className={classes['onSale']}>
              <ItemPicture
                item={{
                  name: item.name,
                  picture: item.picture === '' ? null : shopPictureUrl(serverId, item.picture),
                }}
              />
              <div className={classes['form']}>
                <p className={classes['muted']}>
                  {[
                    categoryOf(item.category_id),
                    item.active ? undefined : t('shop.owner.hidden'),
                    item.days === null ? undefined : t('shop.days', { count: item.days }),
                    t('shop.owner.sold', { count: item.sold }),
                    t('shop.owner.commandCount', { count: item.commands.length }),
                  ]
                    .filter((text) => text !== undefined)
                    .join(' · ')}
                </p>
                {item.findings.length > 0 && (
                  <p className={classes['muted']}>
                    {t('shop.owner.confirmed')} {item.findings.map((one) => t(`shop.findings.${one}.short`)).join(', ')}
                  </p>
                )}
                <div className={classes['actions']}>
                  <Button size="small" icon={<IconPencil />} onClick={() => setEdited(item)}>
                    {t('shop.owner.edit')}
                  </Button>
                  <Button size="small" look="quiet" icon={<IconTrash />} onClick={() => setRemoved(item)}>
                    {t('shop.owner.remove')}
                  </Button>
                </div>
              </div>
            </div>
          </Card>
        ))
      )}
      {edited !== null && (
        <ItemDialog
          serverId={serverId}
          shop={shop}
          item={edited === 'new' ? null : edited}
          onClose={() => setEdited(null)}
          onSaved={onChanged}
        />
      )}
      {sorts && (
        <CategoriesDialog serverId={serverId} shop={shop} onClose={() => setSorts(false)} onSaved={onChanged} />
      )}
      {removed !== null && (
        <ConfirmDialog
          opened
          onClose={() => setRemoved(null)}
          title={t('shop.owner.removeTitle', { name: removed.name })}
          text={t('shop.owner.removeText')}
          action={t('shop.owner.remove')}
          onConfirm={async () => {
            await api(deleteShopItem, { params: { id: serverId, item_id: removed.id } })
            await onChanged()
          }}
        />
      )}
    </div>
  )
}
