import { useSearchParams } from 'react-router'
import { useTranslation } from '#app/i18n/texts.tsx'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { usePath } from '#app/i18n/use-format.ts'
import { LinkButton } from '#app/ui/button.tsx'
import { StatusPage } from '#app/ui/status-page.tsx'

/** Says why a server is not shown, by its name where `?server=` tells it, and leads to those that are. */
export function NoServerPage({ page }: { page: 'serverNotFound' | 'unauthorizedServer' }) {
  const { t } = useTranslation()
  const path = usePath()
  const [search] = useSearchParams()
  const identity = search.get('server')?.slice(0, 80)
  const isMissing = page === 'serverNotFound'
  return (
    <>
      <PageMeta page={page} />
      <StatusPage
        figure={isMissing ? 'bat' : 'cat'}
        code={isMissing ? 404 : 403}
        title={t(isMissing ? 'serverNotFound.title' : 'unauthorizedServer.title')}
        text={
          identity
            ? t(isMissing ? 'serverNotFound.named' : 'unauthorizedServer.named', { identity })
            : t(isMissing ? 'serverNotFound.text' : 'unauthorizedServer.text')
        }
      >
        <LinkButton look="primary" to={path('/s')}>
          {t(isMissing ? 'serverNotFound.servers' : 'notFound.servers')}
        </LinkButton>
        <LinkButton to={path('')}>{t('notFound.home')}</LinkButton>
      </StatusPage>
    </>
  )
}
