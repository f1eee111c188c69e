import { useTranslation } from '#app/i18n/texts.tsx'
import { data, useSearchParams } from 'react-router'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { usePath } from '#app/i18n/use-format.ts'
import { LinkButton } from '#app/ui/button.tsx'
import { StatusPage } from '#app/ui/status-page.tsx'

export function loader() {
  return data(null, { status: 404 })
}

/** Where `/s/{identity}` leads when nobody that the visitor may know of has that name; `?server=` says which. */
export default function ServerNotFound() {
  const { t } = useTranslation()
  const path = usePath()
  const [search] = useSearchParams()
  const identity = search.get('server')?.slice(0, 80)
  return (
    <>
      <PageMeta page="serverNotFound" />
      <StatusPage
        figure="bat"
        code={404}
        title={t('serverNotFound.title')}
        text={identity ? t('serverNotFound.named', { identity }) : t('serverNotFound.text')}
      >
        <LinkButton look="primary" to={path('/s')}>
          {t('serverNotFound.servers')}
        </LinkButton>
        <LinkButton to={path('')}>{t('notFound.home')}</LinkButton>
      </StatusPage>
    </>
  )
}
