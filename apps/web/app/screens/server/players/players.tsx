import { useQuery, useQueryClient } from '@tanstack/react-query'
import { canManagePlayers, canUseConsole } from '@wakestone/contract/capabilities'
import { useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { TabLinks } from '#app/ui/tab-links.tsx'
import { useServerPage } from '../use-server-page.ts'
import { HistoryTab } from './history-tab.tsx'
import { ListsTab } from './lists-tab.tsx'
import { PeopleTab } from './people-tab.tsx'
import classes from './players.module.css'
import { playersChanged, playersQuery } from './players-queries.ts'

const tabs = ['people', 'lists', 'history'] as const

/** `/s/{identity}/players`: who is on and ever was, whom the game lets in, and when people came. */
export default function ServerPlayers() {
  const { t } = useTranslation()
  const { server, identity, status, state, canManage } = useServerPage()
  const user = useSignedInUser()
  const queries = useQueryClient()
  const [query] = useSearchParams()
  const tab = tabs.find((one) => one === query.get('tab')) ?? 'people'
  const { data, error, refetch } = useQuery(playersQuery(server.id))
  const rights = {
    canAct: canManagePlayers(user.user_capabilities, server.user_capabilities),
    canOperate: canUseConsole(user.user_capabilities, server.user_capabilities),
    canForget: canManage,
  }
  // The stream tells of joins and of starts; what the game has written by then is asked for anew.
  const told = `${state} ${status.players.names.join()}`
  useEffect(() => {
    void playersChanged(queries, server.id)
  }, [told, queries, server.id])
  const to = (one: (typeof tabs)[number]) => `/s/${identity}/players${one === 'people' ? '' : `?tab=${one}`}`
  return (
    <>
      <PageMeta page="serverPlayers" title={`${t('players.title')} · ${server.name}`} />
      <PageHeader title={t('players.title')} text={t('players.text')} />
      <TabLinks
        label={t('players.title')}
        tabs={tabs.map((one) => ({ to: to(one), label: t(`players.tabs.${one}`), active: one === tab }))}
      />
      <div className={classes['tab']}>
        {tab === 'history' ? (
          <HistoryTab serverId={server.id} />
        ) : data === undefined ? (
          error === null ? (
            <Skeleton height={320} />
          ) : (
            <ErrorState error={error} onRetry={() => void refetch()} />
          )
        ) : tab === 'people' ? (
          <PeopleTab server={server} identity={identity} players={data} rights={rights} />
        ) : (
          <ListsTab server={server} players={data} rights={rights} />
        )}
      </div>
    </>
  )
}
