import { useTranslation } from '#app/i18n/texts.tsx'
import { data } from 'react-router'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { usePath } from '#app/i18n/use-format.ts'
import { LinkButton } from '#app/ui/button.tsx'
import { StatusPage } from '#app/ui/status-page.tsx'

export function loader() {
  return data(null, { status: 404 })
}

export default function NotFound() {
  const { t } = useTranslation()
  const path = usePath()
  return (
    <>
      <PageMeta page="notFound" />
      <StatusPage figure="owl" code={404} title={t('notFound.title')} text={t('notFound.text')}>
        <LinkButton look="primary" to={path('')}>
          {t('notFound.home')}
        </LinkButton>
        <LinkButton to={path('/s')}>{t('notFound.servers')}</LinkButton>
      </StatusPage>
    </>
  )
}
