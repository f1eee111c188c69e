import { useTranslation } from '#app/i18n/texts.tsx'
import type { Plan } from '#app/features/offers/offer-prices.ts'
import { usePurchasePath } from '#app/features/offers/use-purchase-path.ts'
import { useFormat } from '#app/i18n/use-format.ts'
import { LinkButton } from '#app/ui/button.tsx'
import { Modal } from '#app/ui/modal.tsx'
import classes from './redeem-dialog.module.css'

export default function RedeemDialog({ plan, onClose }: { plan: Plan; onClose: () => void }) {
  const { t } = useTranslation()
  const format = useFormat()
  const purchase = usePurchasePath()
  const { memory, storage } = plan.parameters
  return (
    <Modal opened onClose={onClose} title={t('home.redeem.title', { name: t(`home.products.${plan.id}.name`) })}>
      <div className={classes['dialog']}>
        <p>{t('home.redeem.text', { memory: format.bytes(memory), storage: format.bytes(storage) })}</p>
        <LinkButton to={purchase(`product=${plan.id}&redeem=1`)} look="primary" fullWidth data-autofocus>
          {t('home.redeem.action')}
        </LinkButton>
      </div>
    </Modal>
  )
}
