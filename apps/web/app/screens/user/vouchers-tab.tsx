import { useTranslation } from '#app/i18n/texts.tsx'
import { Card } from '#app/ui/card.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'

/** Vouchers that the user has redeemed: none, while there are none to redeem. */
export function VouchersTab() {
  const { t } = useTranslation()
  return (
    <Card>
      <EmptyState title={t('admin.noVouchersTitle')} text={t('admin.noVouchersText')} />
    </Card>
  )
}
