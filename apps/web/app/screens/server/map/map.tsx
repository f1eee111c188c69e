import { IconRefresh } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { drawMap, getMapState, showMap } from '@wakestone/contract/servers/mapview-routes'
import { isOver, type Operation } from '@wakestone/contract/servers/operations'
import { listProcesses } from '@wakestone/contract/servers/operations-routes'
import { listWorlds } from '@wakestone/contract/servers/worlds-routes'
import { useState } from 'react'
import { api } from '#app/api/client.ts'
import { answersOf, makeStale, queryOf } from '#app/api/query-of.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { mapQuery, mapSettingsQuery, mapStateQuery } from '#app/features/servers/map/map-queries.ts'
import { MapView } from '#app/features/servers/map/map-view.tsx'
import { OperationsCard } from '#app/features/servers/operations/operations-card.tsx'
import { operationsQuery } from '#app/features/servers/operations/operation-queries.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorNote, ErrorState } from '#app/ui/error-state.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { showErrorToast } from '#app/ui/toasts.tsx'
import { useServerPage } from '../use-server-page.ts'
import { MapSettingsCards } from './map-settings-card.tsx'
import classes from './map.module.css'
import { MapStateCard } from './map-state-card.tsx'

/** How a drawing ended is seen on the page itself: as a map, or as why there is none. */
const shownEnds: readonly [] = []
/** Steps of a drawing after which the picture is asked for anew while it is looked at. */
const SEEN_STEPS = 10

/** `/s/{identity}/mapview`: the worlds of this server from above. */
export default function ServerMap() {
  const { t } = useTranslation()
  const { server, canManage } = useServerPage()
  const map = useQuery(mapQuery(server.id))
  const state = useQuery(mapStateQuery(server.id))
  const settings = useQuery(mapSettingsQuery(server.id))
  const { data: operations = [] } = useQuery(operationsQuery(server.id))
  const drawing = operations.find(({ kind, state: now }) => kind === 'map_render' && !isOver(now))
  const isBedrock = server.parameters.game !== 'minecraft-java'
  const isOff = settings.data?.enabled === false
  /** Told in the place of the map, where one is missing. */
  const lacksWorld =
    drawing === undefined && map.data?.dimensions.length === 0 && state.data?.last_failure?.code === 'map_has_no_world'
  // What was asked for anew in vain leaves what is there.
  const error = [map, state, settings].find((one) => one.data === undefined && one.error !== null)?.error ?? null
  return (
    <>
      <PageMeta page="serverMap" title={`${t('map.title')} · ${server.name}`} />
      <PageHeader
        title={t('map.title')}
        text={t('map.text')}
        actions={
          isBedrock ? null : <DrawButton drawing={drawing} isOff={isOff} hasNoMap={map.data?.dimensions.length === 0} />
        }
      />
      <div className={classes['cards']}>
        {isBedrock ? (
          <Empty title={t('map.bedrockTitle')} text={t('map.bedrockText')} />
        ) : error !== null ? (
          <ErrorState
            error={error}
            onRetry={() => void Promise.all([map, state, settings].map((one) => one.refetch()))}
          />
        ) : map.data === undefined || state.data === undefined || settings.data === undefined ? (
          <Skeleton height={480} />
        ) : (
          <>
            <OperationsCard serverId={server.id} canManage={canManage} endsOf={shownEnds} />
            {state.data.last_failure !== null && !lacksWorld && drawing === undefined && (
              <ErrorNote error={state.data.last_failure.code} title={t('map.state.lastFailed')} />
            )}
            {isOff ? (
              <Empty title={t('map.offTitle')} text={t('map.offText')} />
            ) : map.data.dimensions.length === 0 ? (
              <Empty
                title={t('map.emptyTitle')}
                text={lacksWorld ? t('errors.map_has_no_world') : t('map.emptyText')}
              />
            ) : (
              <MapView map={map.data} version={versionOf(map.data.version, drawing)} />
            )}
            <MapStateCard state={state.data} />
            {canManage && <MapSettingsCards serverId={server.id} settings={settings.data} map={map.data} />}
          </>
        )}
      </div>
    </>
  )
}

/** While it is drawn, tiles change as it goes on. */
const versionOf = (version: string, drawing: Operation | undefined) =>
  drawing === undefined
    ? version
    : `${version}-${drawing.id.slice(-6)}-${Math.floor((drawing.progress ?? 0) * SEEN_STEPS)}`

function Empty({ title, text }: { title: string; text: string }) {
  return (
    <Card>
      <EmptyState title={title} text={text} figure="none" />
    </Card>
  )
}

function DrawButton({
  drawing,
  isOff,
  hasNoMap,
}: {
  drawing: Operation | undefined
  isOff: boolean
  /** Nothing is drawn yet: there may be nothing to draw. */
  hasNoMap: boolean
}) {
  const { t } = useTranslation()
  const format = useFormat()
  const queries = useQueryClient()
  const { server, canManage } = useServerPage()
  const { data: state } = useQuery(mapStateQuery(server.id))
  const worlds = useQuery({
    ...queryOf(listWorlds, { params: { id: server.id } }),
    enabled: canManage && hasNoMap,
  })
  const [busy, setBusy] = useState(false)
  const next = state?.next_by_hand_at ?? null
  const why = !canManage
    ? t('server.because.capability')
    : drawing !== undefined
      ? t('map.because.drawing')
      : isOff
        ? t('map.because.off')
        : hasNoMap && worlds.data?.worlds.length === 0
          ? t('map.because.noWorld')
          : next !== null
            ? t('map.because.wait', { time: format.dateTime(next) })
            : undefined
  const draw = async () => {
    setBusy(true)
    const params = { id: server.id }
    try {
      await api(drawMap, { params })
      await makeStale(queries, ...[getMapState, showMap, listProcesses].map((route) => answersOf(route, params)))
    } catch (failure) {
      showErrorToast(failure)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button look="primary" icon={<IconRefresh />} why={why} loading={busy} onClick={() => void draw()}>
      {t('map.drawNow')}
    </Button>
  )
}
