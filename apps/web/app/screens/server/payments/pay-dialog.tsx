import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { Modal } from '#app/ui/modal.tsx'
import { type Bill, BillDetails, usePaying } from './bill.tsx'

/** A bill to look at before it is paid. */
export function PayDialog({
  bill,
  owner,
  from,
  onClose,
}: {
  bill: Bill | null
  owner: string
  /** Where a top-up comes back to. */
  from: string
  onClose: () => void
}) {
  const { t } = useTranslation()
  const paying = usePaying({ bill, owner, onClose })
  return (
    <Modal
      opened={bill !== null}
      onClose={paying.close}
      title={bill?.title ?? ''}
      actions={
        <>
          <Button onClick={paying.close}>{t('common.cancel')}</Button>
          <Button look="primary" loading={paying.isBusy} why={paying.why} onClick={() => void paying.confirm()}>
            {paying.label}
          </Button>
        </>
      }
    >
      {bill !== null && <BillDetails bill={bill} paying={paying} from={from} />}
    </Modal>
  )
}
