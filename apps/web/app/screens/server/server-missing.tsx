import { useTranslation } from 'react-i18next'
import { usePath } from '#app/i18n/use-format.ts'
import { LinkButton } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'

/** No server of this name that the visitor may see. */
export function ServerMissing({ identity }: { identity: string }) {
  const { t } = useTranslation()
  const path = usePath()
  return (
    <EmptyState
      figure="sheep"
      title={t('server.notFoundTitle')}
      text={t('server.notFoundText', { identity })}
      action={
        <LinkButton look="primary" to={path('/s')}>
          {t('server.toServers')}
        </LinkButton>
      }
    />
  )
}
