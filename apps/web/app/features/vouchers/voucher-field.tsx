import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconTicket, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import type { ShownVoucher } from '@wakestone/contract/sales/voucher'
import { useTranslation } from '#app/i18n/texts.tsx'
import { usePath } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { errorCodeOf, useErrorText } from '#app/ui/error-text.ts'
import { useEffectLines } from './voucher-effects.tsx'
import classes from './voucher-field.module.css'
import { tidyCode, voucherQuery } from './voucher-queries.ts'

/** The voucher of an order: typed, looked at, and shown with what it gives. Its code is the caller's to keep. */
export function VoucherField({
  code,
  onChange,
  refusal,
}: {
  code: string | null
  onChange: (code: string | null) => void
  /** Why it does not fit what is ordered. */
  refusal?: unknown
}) {
  const { t } = useTranslation()
  const path = usePath()
  /** Null: as it was applied. */
  const [typed, setTyped] = useState<string | null>(null)
  const [isOpen, setOpen] = useState(false)
  const voucher = useQuery({ ...voucherQuery(code ?? ''), enabled: code !== null })
  const fault = useErrorText(refusal ?? voucher.error)
  const hasFault = (refusal != null || voucher.isError) && code !== null
  const isForElsewhere = errorCodeOf(refusal ?? voucher.error) === 'voucher_not_for_billing'
  const shown = typed ?? code ?? ''
  const apply = () => {
    const wanted = tidyCode(shown)
    setTyped(null)
    onChange(wanted === '' ? null : wanted)
  }
  if (code !== null && !hasFault)
    return (
      <div className={classes['applied']}>
        <IconTicket size={18} aria-hidden="true" />
        <div>
          <strong className={classes['code']}>{code}</strong>
          <p role="status" className={classes['muted']}>
            {voucher.data === undefined ? t('vouchers.checking') : <Lines voucher={voucher.data} />}
          </p>
        </div>
        <button type="button" className={classes['remove']} onClick={() => onChange(null)}>
          <IconX size={16} aria-hidden="true" />
          <span className="visually-hidden">{t('vouchers.remove')}</span>
        </button>
      </div>
    )
  if (!isOpen && code === null)
    return (
      <Button
        className={classes['have']}
        size="small"
        look="quiet"
        icon={<IconTicket size={16} aria-hidden="true" />}
        onClick={() => setOpen(true)}
      >
        {t('vouchers.have')}
      </Button>
    )
  return (
    <div className={classes['row']}>
      <TextInput
        label={t('vouchers.code')}
        value={shown}
        error={hasFault && typed === null}
        maxLength={64}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        data-autofocus
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault() // it would send the order
          apply()
        }}
      />
      <Button onClick={apply}>{t('vouchers.apply')}</Button>
      {hasFault && typed === null && (
        <p role="alert" className={classes['fault']}>
          {fault.text}{' '}
          {isForElsewhere && (
            <Link to={`${path('/voucher/use')}?${new URLSearchParams({ code })}`}>{t('vouchers.toRedeem')}</Link>
          )}
        </p>
      )}
      {code !== null && (
        <Button
          className={classes['without']}
          size="small"
          look="quiet"
          onClick={() => {
            setTyped(null)
            onChange(null)
          }}
        >
          {t('vouchers.remove')}
        </Button>
      )}
    </div>
  )
}

function Lines({ voucher }: { voucher: ShownVoucher }) {
  return useEffectLines()(voucher.data).join(' · ')
}
