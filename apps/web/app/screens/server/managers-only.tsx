import { useTranslation } from '#app/i18n/texts.tsx'
import { LinkButton } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import type { ServerPage } from './use-server-page.ts'

/** In the place of a screen on which everything is about changing the server, for whoever may only look at it. */
export function ManagersOnly({ server, identity }: Pick<ServerPage, 'server' | 'identity'>) {
  const { t } = useTranslation()
  return (
    <Card>
      <EmptyState
        title={t('server.guest.title')}
        text={t('server.guest.text', { name: server.owner_name })}
        action={<LinkButton to={`/s/${identity}`}>{t('renew.back')}</LinkButton>}
        figure="cat"
      />
    </Card>
  )
}
