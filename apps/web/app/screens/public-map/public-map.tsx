import type { ShownMap } from '@wakestone/contract/servers/mapview'
import { showMap } from '@wakestone/contract/servers/mapview-routes'
import { ApiError } from '@wakestone/contract/client'
import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { data, type ShouldRevalidateFunctionArgs, useSearchParams } from 'react-router'
import { createQueryClient } from '#app/api/query-client.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { tileAddress } from '#app/features/servers/map/map-coordinates.ts'
import { mapQuery } from '#app/features/servers/map/map-queries.ts'
import { MapView } from '#app/features/servers/map/map-view.tsx'
import { PublicFrame } from '#app/features/shell/public-frame.tsx'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat, usePath } from '#app/i18n/use-format.ts'
import { webContext } from '#app/load-context.ts'
import { LinkButton } from '#app/ui/button.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import { StatusPage } from '#app/ui/status-page.tsx'
import type { Route } from './+types/public-map'
import classes from './public-map.module.css'

export async function loader({ context, params }: Route.LoaderArgs) {
  const { api } = context.get(webContext)
  const map = await api(showMap, { params: { id: params.mapId } }).catch((error: unknown) => {
    if (error instanceof ApiError && error.status < 500) return null
    throw error
  })
  return data({ map }, { status: map === null ? 404 : 200 })
}

/** Where one looks stands in the address too: no reason to load again. */
export function shouldRevalidate({ currentParams, nextParams }: ShouldRevalidateFunctionArgs): boolean {
  return currentParams['mapId'] !== nextParams['mapId']
}

/** `/{lang}/mapview/{id}`: a map for everybody who may see it. With `?widget` nothing but the map, for other pages to frame. */
export default function PublicMap({ loaderData: { map } }: Route.ComponentProps) {
  const [search] = useSearchParams()
  // Public pages have no query client, and nobody is asked to sign in here.
  const [client] = useState(() => createQueryClient(() => undefined))
  const isWidget = search.has('widget')
  const shown =
    map === null ? (
      <Missing />
    ) : (
      <QueryClientProvider client={client}>
        <Fresh first={map} isWidget={isWidget} />
      </QueryClientProvider>
    )
  return isWidget ? shown : <PublicFrame>{shown}</PublicFrame>
}

/** Asked for anew while it is looked at: players move, and tiles change. */
function Fresh({ first, isWidget }: { first: ShownMap; isWidget: boolean }) {
  const { data: map = first } = useQuery(mapQuery(first.server.id))
  return isWidget ? <Widget map={map} /> : <Page map={map} />
}

function Missing() {
  const { t } = useTranslation()
  const path = usePath()
  return (
    <>
      <PageMeta page="map" />
      <StatusPage figure="owl" code={404} title={t('map.public.missingTitle')} text={t('map.public.missingText')}>
        <LinkButton to={path('')}>{t('notFound.home')}</LinkButton>
      </StatusPage>
    </>
  )
}

function Page({ map }: { map: ShownMap }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { name } = map.server
  const text =
    map.drawn_at === null ? t('map.public.nothing') : t('map.public.text', { time: format.dateTime(map.drawn_at) })
  return (
    <div className={classes['page']}>
      <PageMeta page="map" title={t('map.label', { name })} />
      <PageHeader title={t('map.label', { name })} text={text} />
      <MapView map={map} />
      <Still map={map} />
    </div>
  )
}

function Widget({ map }: { map: ShownMap }) {
  const { t } = useTranslation()
  const path = usePath()
  const { id, name } = map.server
  return (
    <main className={classes['widget']}>
      <PageMeta page="map" title={t('map.label', { name })} />
      <h1 className="visually-hidden">{t('map.label', { name })}</h1>
      {map.dimensions.length === 0 ? <p>{t('map.public.nothing')}</p> : <MapView map={map} />}
      <a className={classes['open']} href={path(`/mapview/${id}`)} target="_blank" rel="noopener">
        {t('map.public.open')}
      </a>
    </main>
  )
}

/** For readers without scripts: the first dimension, as far out as it goes. */
function Still({ map }: { map: ShownMap }) {
  const { t } = useTranslation()
  const [dimension] = map.dimensions
  const [layer] = map.layers
  if (dimension === undefined || layer === undefined) return null
  const side = 512 * 2 ** dimension.zoom_outs
  const place = { x: Math.floor((dimension.spawn?.x ?? 0) / side), z: Math.floor((dimension.spawn?.z ?? 0) / side) }
  const address = tileAddress(map.server.id, {
    dimension: dimension.id,
    layer,
    zoomOut: dimension.zoom_outs,
    version: map.version,
    ...place,
  })
  return (
    <noscript>
      <p>{t('map.public.noScript')}</p>
      <img src={address} width={512} height={512} alt={t('map.label', { name: map.server.name })} />
    </noscript>
  )
}
