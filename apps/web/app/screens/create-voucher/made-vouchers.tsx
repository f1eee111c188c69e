import { IconDownload } from '@tabler/icons-react'
import type { Voucher } from '@wakestone/contract/sales/voucher'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import classes from './create-voucher.module.css'
import { saveCodes } from './save-codes.ts'

/** The codes that were made just now, to read and to save. */
export function MadeVouchers({ vouchers, onMore }: { vouchers: readonly Voucher[]; onMore: () => void }) {
  const { t } = useTranslation()
  return (
    <Card title={t('makeVouchers.made', { count: vouchers.length })}>
      <div className={classes['step']}>
        <ul className={classes['codes']} aria-label={t('makeVouchers.codes')} tabIndex={0}>
          {vouchers.map(({ id, code }) => (
            <li key={id}>{code}</li>
          ))}
        </ul>
        <div className={classes['actions']}>
          <Button
            look="primary"
            icon={<IconDownload size={18} aria-hidden="true" />}
            onClick={() => saveCodes(vouchers)}
          >
            {t('makeVouchers.save')}
          </Button>
          <Button onClick={onMore}>{t('makeVouchers.more')}</Button>
        </div>
      </div>
    </Card>
  )
}
