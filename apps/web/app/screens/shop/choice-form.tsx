import { NativeSelect, TextInput } from '@mantine/core'
import type { PublicItem } from '@wakestone/contract/sales/shop'
import { useId } from 'react'
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
  const hint = useId()
  const given = (name: string) => search.get(name) ?? ''
  return (
    <form method="get" className={classes['form']} aria-label={t('shop.choice')}>
      <div className={classes['who']}>
        <TextInput
          name="player"
          label={t('shop.player')}
          maxLength={40}
          required
          withAsterisk={false}
          spellCheck={false}
          autoComplete="off"
          defaultValue={given('player')}
          aria-describedby={hint}
        />
        <TextInput
          name="quantity"
          type="number"
          label={t('shop.quantity')}
          min={1}
          max={most}
          defaultValue={given('quantity') || '1'}
        />
        <p id={hint} className={classes['hint']}>
          {t('shop.playerHint')}
        </p>
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
      {item.giftable && (
        <details className={classes['more']} open={given('giver') !== ''}>
          <summary>{t('shop.isGift')}</summary>
          <TextInput
            name="giver"
            label={t('shop.giver')}
            description={t('shop.giverHint')}
            maxLength={40}
            spellCheck={false}
            autoComplete="off"
            defaultValue={given('giver')}
          />
        </details>
      )}
      <details className={classes['more']} open={given('coupon') !== ''}>
        <summary>{t('shop.hasCoupon')}</summary>
        <TextInput
          name="coupon"
          label={t('shop.coupon')}
          maxLength={32}
          spellCheck={false}
          autoComplete="off"
          defaultValue={given('coupon')}
        />
      </details>
      <div>
        <Button type="submit" look={isOpen ? 'primary' : 'secondary'}>
          {t(isOpen ? 'shop.toPay' : 'shop.again')}
        </Button>
      </div>
    </form>
  )
}
