import { useTranslation } from '#app/i18n/texts.tsx'
import { data } from 'react-router'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { useUser } from '#app/features/session/use-user.ts'
import { usePath } from '#app/i18n/use-format.ts'
import { LinkButton } from '#app/ui/button.tsx'
import { StatusPage } from '#app/ui/status-page.tsx'

export function loader() {
  return data(null, { status: 403 })
}

/** Where someone ends who lacks the right for a page. */
export default function Unauthorized() {
  const { t } = useTranslation()
  const path = usePath()
  const user = useUser()
  return (
    <>
      <PageMeta page="unauthorized" />
      <StatusPage
        figure="cat"
        code={403}
        title={t('unauthorized.title')}
        text={user === null ? t('unauthorized.text') : t('unauthorized.signedIn', { name: user.username })}
      >
        {user === null ? (
          <LinkButton look="primary" to={path('/login')}>
            {t('unauthorized.login')}
          </LinkButton>
        ) : (
          <LinkButton look="primary" to={path('/s')}>
            {t('notFound.servers')}
          </LinkButton>
        )}
        <LinkButton to={path('')}>{t('notFound.home')}</LinkButton>
      </StatusPage>
    </>
  )
}
