import { useTranslation } from '#app/i18n/texts.tsx'
import { data, useSearchParams } from 'react-router'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { usePath } from '#app/i18n/use-format.ts'
import { LinkButton } from '#app/ui/button.tsx'
import { StatusPage } from '#app/ui/status-page.tsx'

export function loader() {
  return data(null, { status: 403 })
}

/** Where `/s/{identity}` leads when the server is shared with the visitor, but not the right to look at it. */
export default function UnauthorizedServer() {
  const { t } = useTranslation()
  const path = usePath()
  const [search] = useSearchParams()
  const identity = search.get('server')?.slice(0, 80)
  return (
    <>
      <PageMeta page="unauthorizedServer" />
      <StatusPage
        figure="cat"
        code={403}
        title={t('unauthorizedServer.title')}
        text={identity ? t('unauthorizedServer.named', { identity }) : t('unauthorizedServer.text')}
      >
        <LinkButton look="primary" to={path('/s')}>
          {t('notFound.servers')}
        </LinkButton>
        <LinkButton to={path('')}>{t('notFound.home')}</LinkButton>
      </StatusPage>
    </>
  )
}
