import { NativeSelect, TextInput } from '@mantine/core'
import type { PublicItem } from '@wakestone/contract/sales/shop'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import classes from './shop.module.css'

/** Who gets it and how much of it; sent into the page's own address. */
export function ChoiceForm({
  item,
  search,
  isOpen,
  most,
}: {
  item: PublicItem
  search: URLSearchParams
  /** Nothing is chosen yet, or not rightly. */
  isOpen: boolean
  most: number
}) {
  const { t } = useTranslation()
  const given = (name: string) => search.get(name) ?? ''
  return (
    <form method="get" className={classes['form']} aria-label={t('shop.choice')}>
      <div className={classes['pair']}>
        <TextInput
          name="player"
          label={t('shop.player')}
          description={t('shop.playerHint')}
          maxLength={40}
          required
          withAsterisk={false}
          spellCheck={false}
          autoComplete="off"
          defaultValue={given('player')}
        />
        <TextInput
          name="quantity"
          type="number"
          label={t('shop.quantity')}
          description={t('shop.quantityHint')}
          min={1}
          max={most}
          defaultValue={given('quantity') || '1'}
        />
      </div>
      {item.variables.map(({ name, label, choices }) =>
        choices.length > 0 ? (
          <NativeSelect
            key={name}
            name={`v_${name}`}
            label={label}
            data={choices}
            defaultValue={given(`v_${name}`) || choices[0]!}
          />
        ) : (
          <TextInput
            key={name}
            name={`v_${name}`}
            label={label}
            description={t('shop.word')}
            pattern="[A-Za-z0-9_]{1,32}"
            maxLength={32}
            required
            withAsterisk={false}
            defaultValue={given(`v_${name}`)}
          />
        ),
      )}
      <div className={classes['pair']}>
        {item.giftable && (
          <TextInput
            name="giver"
            label={t('shop.giver')}
            description={t('shop.giverHint')}
            maxLength={40}
            spellCheck={false}
            autoComplete="off"
            defaultValue={given('giver')}
          />
        )}
        <TextInput
          name="coupon"
          label={t('shop.coupon')}
          description={t('shop.couponHint')}
          maxLength={32}
          spellCheck={false}
          autoComplete="off"
          defaultValue={given('coupon')}
        />
      </div>
      <div>
        <Button type="submit" look={isOpen ? 'primary' : 'secondary'}>
          {t(isOpen ? 'shop.toPay' : 'shop.again')}
        </Button>
      </div>
    </form>
  )
}
