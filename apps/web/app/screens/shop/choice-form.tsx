import { NativeSelect, TextInput } from '@mantine/core'
import type { PublicItem } from '@wakestone/contract/sales/shop'
import { useId } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { useErrorText } from '#app/ui/error-text.ts'
import { useReasonText } from '#app/ui/reason-text.ts'
import { orderAnchor, type Refusal } from './choice.ts'
import classes from './shop.module.css'

/** Who gets it and how much of it; sent into the page's own address. */
export function ChoiceForm({
  item,
  search,
  isOpen,
  most,
  refusal,
}: {
  item: PublicItem
  search: URLSearchParams
  /** Nothing is chosen yet, or not rightly. */
  isOpen: boolean
  most: number
  refusal: Refusal | null
}) {
  const { t } = useTranslation()
  const textOf = useReasonText()
  const { text } = useErrorText(refusal?.code ?? 'invalid_request')
  /** At what is wrong, which has the focus when the page comes back. */
  const faultOf = (name: string) =>
    refusal?.field === name
      ? { error: refusal.code === 'invalid_request' ? textOf(refusal.reason ?? '') : text, autoFocus: true }
      : {}
  const hint = useId()
  const given = (name: string) => search.get(name) ?? ''
  return (
    <form method="get" action={`#${orderAnchor}`} className={classes['form']} aria-label={t('shop.choice')}>
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
          {...faultOf('player')}
        />
        <TextInput
          name="quantity"
          type="number"
          label={t('shop.quantity')}
          min={1}
          max={most}
          defaultValue={given('quantity') || '1'}
          {...faultOf('quantity')}
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
            {...faultOf(`v_${name}`)}
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
            {...faultOf(`v_${name}`)}
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
            {...faultOf('giver')}
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
          {...faultOf('coupon')}
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
