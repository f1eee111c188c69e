import { useTranslation } from '#app/i18n/texts.tsx'
import { Modal } from '#app/ui/modal.tsx'
import { TicketForm } from './ticket-form.tsx'

export default function ReportBugModal({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Modal opened onClose={onClose} title={t('footer.reportBug')}>
      <TicketForm topic="site_problem" />
    </Modal>
  )
}
