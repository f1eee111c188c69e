import { useQuery } from '@tanstack/react-query'
import { getServerParameters } from '@wakestone/contract/servers/parameters-routes'
import { queryOf } from '#app/api/query-of.ts'
import { SftpCard } from '#app/features/servers/sftp/sftp-card.tsx'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { ManagersOnly } from '../managers-only.tsx'
import { useServerPage } from '../use-server-page.ts'
import { AntibotCard } from './antibot-card.tsx'
import { DangerCard } from './danger-card.tsx'
import { MovingCard } from './moving-card.tsx'
import { ParametersForm } from './parameters-form.tsx'
import { PropertiesCard } from './properties-card.tsx'
import classes from './settings.module.css'

/** `/s/{identity}/settings`: name and description, sleep, start flags, the settings of the game, protection against bots, and SFTP. */
export default function ServerSettings() {
  const { t } = useTranslation()
  const { server, identity, canManage } = useServerPage()
  const user = useSignedInUser()
  const { data, error, refetch } = useQuery({
    ...queryOf(getServerParameters, { params: { id: server.id } }),
    enabled: canManage,
  })
  return (
    <>
      <PageMeta page="serverSettings" title={`${t('settings.title')} · ${server.name}`} />
      <PageHeader title={t('settings.title')} text={t('settings.text')} />
      {!canManage ? (
        <ManagersOnly server={server} identity={identity} />
      ) : (
        <div className={classes['cards']}>
          {data === undefined ? (
            error === null ? (
              <Skeleton height={320} />
            ) : (
              <ErrorState error={error} onRetry={() => void refetch()} />
            )
          ) : (
            <ParametersForm server={server} shown={data} />
          )}
          <PropertiesCard server={server} />
          <AntibotCard server={server} />
          <SftpCard serverId={server.id} />
          <MovingCard server={server} />
          {server.owner_id === user.id && <DangerCard server={server} identity={identity} />}
        </div>
      )}
    </>
  )
}
