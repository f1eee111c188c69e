import { TextInput } from '@mantine/core'
import { useTranslation } from '#app/i18n/texts.tsx'

const codeLength = 6

/** Six digits of BLIK from a bank's app. `value` holds digits only; people may type or paste spaces. */
export function BlikCodeInput({
  value,
  error,
  onChange,
}: {
  value: string
  error: string | undefined
  onChange: (digits: string) => void
}) {
  const { t } = useTranslation()
  return (
    <TextInput
      name="blik-code"
      label={t('payment.blik.code')}
      description={t('payment.blik.codeHint')}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      inputMode="numeric"
      autoComplete="one-time-code"
      placeholder="000 000"
      value={value.length > 3 ? `${value.slice(0, 3)} ${value.slice(3)}` : value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value.replace(/\D/g, '').slice(0, codeLength))}
    />
  )
}

export const isWholeCode = (digits: string) => digits.length === codeLength
export const missingDigits = (digits: string) => codeLength - digits.length
