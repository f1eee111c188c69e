import { useTranslation } from '#app/i18n/texts.tsx'
import { usePath } from '#app/i18n/use-format.ts'
import { LinkButton } from '#app/ui/button.tsx'
import { StatusPage } from '#app/ui/status-page.tsx'

/** In the place of a screen of a project that there is none of for this visitor. */
export function NoProject() {
  const { t } = useTranslation()
  const path = usePath()
  return (
    <StatusPage figure="owl" code={404} title={t('market.missingTitle')} text={t('market.missingText')}>
      <LinkButton to={path('/m')}>{t('market.title')}</LinkButton>
    </StatusPage>
  )
}
