import type { MapArea, MapDimension, ShownMap } from '@wakestone/contract/servers/mapview'
import { useMemo, useState } from 'react'
import { LeafletMap } from '#app/features/servers/map/leaflet-map.tsx'
import { startOf } from '#app/features/servers/map/map-view.tsx'
import { useTranslation } from '#app/i18n/texts.tsx'
import classes from './map.module.css'

const nothing = () => {}

/** A dimension to point at: each click tells its block. What is drawn so far is seen on it. */
export function PointPicker({
  map,
  dimension,
  drawn,
  onPick,
}: {
  map: ShownMap
  dimension: MapDimension
  /** Null while it has no point. */
  drawn: MapArea | null
  onPick: (block: { x: number; z: number }) => void
}) {
  const { t } = useTranslation()
  const [view] = useState(() => {
    const [x, z] = drawn?.points[0] ?? []
    return x === undefined || z === undefined ? startOf(dimension) : { x, z, zoom: 0 }
  })
  const text = JSON.stringify(drawn)
  const shown = useMemo(
    () => ({ ...map, players: null, areas: text === 'null' ? [] : [JSON.parse(text) as MapArea] }),
    [map, text],
  )
  return (
    <div className={classes['picker']}>
      <LeafletMap
        map={shown}
        dimension={dimension}
        layer={map.layers[0] ?? 'day'}
        version={map.version}
        view={view}
        onView={nothing}
        onPointer={nothing}
        onHandle={nothing}
        onPick={onPick}
      />
      <p className={classes['muted']}>{t('map.areas.pickHint')}</p>
    </div>
  )
}
