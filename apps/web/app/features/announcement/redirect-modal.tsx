import { useTranslation } from '#app/i18n/texts.tsx'
import type { FlagValues } from '@wakestone/contract/site/flags'
import { toldIn } from '@wakestone/contract/site/told-in'
import { useLanguage, usePath } from '#app/i18n/use-format.ts'
import { Button, LinkButton } from '#app/ui/button.tsx'
import { Modal } from '#app/ui/modal.tsx'

export default function RedirectModal({
  redirect,
  onClose,
}: {
  redirect: NonNullable<FlagValues['redirect-modal']>
  onClose: () => void
}) {
  const { t } = useTranslation()
  const language = useLanguage()
  const path = usePath()
  const { title, text, to } = redirect
  return (
    <Modal
      opened
      onClose={onClose}
      title={toldIn(title, language)}
      actions={
        <>
          <Button onClick={onClose}>{t('announcement.stay')}</Button>
          <LinkButton to={to.startsWith('/') ? path(to) : to} look="primary" onClick={onClose} data-autofocus>
            {t('announcement.go')}
          </LinkButton>
        </>
      }
    >
      {toldIn(text, language)}
    </Modal>
  )
}
