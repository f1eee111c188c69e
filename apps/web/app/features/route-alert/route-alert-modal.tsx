import { useTranslation } from '#app/i18n/texts.tsx'
import { useNavigate } from 'react-router'
import { Button } from '#app/ui/button.tsx'
import { Modal } from '#app/ui/modal.tsx'
import { goOn, type RouteChangeTexts, stay } from './route-alert.ts'

export default function RouteAlertModal({ texts }: { texts: RouteChangeTexts }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  return (
    <Modal
      opened
      onClose={stay}
      title={texts.title ?? t('routeAlert.title')}
      actions={
        <>
          <Button onClick={() => goOn(navigate)}>{t('routeAlert.continue')}</Button>
          <Button look="primary" onClick={stay} data-autofocus>
            {t('common.cancel')}
          </Button>
        </>
      }
    >
      {texts.subtitle ?? t('routeAlert.subtitle')}
    </Modal>
  )
}
