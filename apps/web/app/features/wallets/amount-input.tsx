import { TextInput, type TextInputProps } from '@mantine/core'
import { useTranslation } from '#app/i18n/texts.tsx'
import classes from './amount-input.module.css'

/** An amount as people write it, with its currency beside it. What is typed is read by `parseAmount`. */
export function AmountInput({ currency, ...rest }: { currency: string } & TextInputProps) {
  const { t } = useTranslation()
  return (
    <TextInput
      label={t('wallet.amount')}
      inputMode="decimal"
      autoComplete="off"
      rightSection={<span className={classes['currency']}>{currency}</span>}
      rightSectionWidth={56}
      {...rest}
    />
  )
}
