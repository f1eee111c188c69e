import { NumberInput, Select } from '@mantine/core'
import { IconHome } from '@tabler/icons-react'
import type { MapDimension, MapLayer, ShownMap } from '@wakestone/contract/servers/mapview'
import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { useDimensionName } from '../dimension-name.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { Segmented } from '#app/ui/segmented.tsx'
import { LeafletMap, type MapHandle, type MapView as View } from './leaflet-map.tsx'
import { zoomToFit } from './map-coordinates.ts'
import classes from './map.module.css'

/** Pixels that most maps have, in the shorter direction. */
const USUAL_BOX = 600
const MOVED_MS = 400

/**
 * A map with its tools: dimension, layer, coordinates, a way to a place. What is seen stands in the address.
 * @param version of the tiles, where they change while they are looked at.
 */
export function MapView({ map, version = map.version }: { map: ShownMap; version?: string }) {
  const { t } = useTranslation()
  const nameOf = useMapDimensionName(map)
  const [search, setSearch] = useSearchParams()
  const [handle, setHandle] = useState<MapHandle | null>(null)
  const pointer = useRef<HTMLOutputElement>(null)
  const moved = useRef<ReturnType<typeof setTimeout>>(undefined)
  const latest = useRef<(values: Record<string, string | null>) => void>(undefined)
  useEffect(() => () => clearTimeout(moved.current), [])
  // What was asked of the address and does not stand there yet: the next change may not forget it.
  const asked = useRef<Record<string, string | null>>({})
  useEffect(() => {
    for (const [name, value] of Object.entries(asked.current))
      if (search.get(name) === value) delete asked.current[name]
  }, [search])
  const dimension = map.dimensions.find(({ id }) => id === search.get('dimension')) ?? map.dimensions[0]
  if (dimension === undefined) return null
  const layer = map.layers.find((one) => one === search.get('layer')) ?? map.layers[0] ?? 'day'
  const view = readView(search) ?? startOf(dimension)

  const change = (values: Record<string, string | null>) => {
    Object.assign(asked.current, values)
    setSearch(
      (before) => {
        const after = new URLSearchParams(before)
        for (const [name, value] of Object.entries(asked.current))
          if (value === null) after.delete(name)
          else after.set(name, value)
        return after
      },
      { replace: true, preventScrollReset: true },
    )
  }
  // What waits below may not forget what was chosen meanwhile.
  latest.current = change
  const keepView = ({ x, z, zoom }: View) => {
    clearTimeout(moved.current)
    const place = { x: String(x), z: String(z), zoom: String(zoom) }
    moved.current = setTimeout(() => latest.current?.(place), MOVED_MS)
    tell({ x, z })
  }
  const tell = (block: { x: number; z: number } | null) => {
    if (pointer.current !== null) pointer.current.textContent = block === null ? '' : `X ${block.x} · Z ${block.z}`
  }
  const { spawn } = dimension
  return (
    <div className={classes['view']}>
      <div className={classes['tools']}>
        {/* Of several worlds the choice names each. */}
        {worldsOf(map) === 1 && (
          <p className={classes['world']}>
            {t('map.world')}: <strong>{dimension.world}</strong>
            {map.dimensions.length === 1 && ` · ${nameOf(dimension)}`}
          </p>
        )}
        {map.dimensions.length > 1 && (
          <Select
            aria-label={t('map.world')}
            className={classes['dimension'] ?? ''}
            data={map.dimensions.map((one) => ({ value: one.id, label: nameOf(one) }))}
            value={dimension.id}
            allowDeselect={false}
            onChange={(id) => {
              clearTimeout(moved.current)
              change({ dimension: id, x: null, z: null, zoom: null })
            }}
          />
        )}
        {map.layers.length > 1 && (
          <Segmented<MapLayer>
            label={t('map.layersLabel')}
            options={map.layers.map((one) => ({ value: one, label: t(`map.layers.${one}`) }))}
            value={layer}
            onChange={(next) => change({ layer: next })}
          />
        )}
        <GoTo handle={handle} />
        {spawn !== null && (
          <Button size="small" icon={<IconHome />} onClick={() => handle?.goTo({ ...spawn, zoom: 1 })}>
            {t('map.toSpawn')}
          </Button>
        )}
      </div>
      <div className={classes['frame']}>
        {/* Another dimension has other bounds and zooms: its picture begins anew, with none of the last one's parts. */}
        <LeafletMap
          key={`${dimension.id} ${dimension.zoom_outs}`}
          map={map}
          dimension={dimension}
          layer={layer}
          version={version}
          view={view}
          onView={keepView}
          onPointer={tell}
          onHandle={setHandle}
        />
        <output ref={pointer} className={classes['pointer']} aria-live="off" />
      </div>
      {dimension.cut && <p className={classes['note']}>{t('map.cut')}</p>}
    </div>
  )
}

function GoTo({ handle }: { handle: MapHandle | null }) {
  const { t } = useTranslation()
  const [x, setX] = useState<number | string>('')
  const [z, setZ] = useState<number | string>('')
  const isPlace = typeof x === 'number' && typeof z === 'number'
  const field = {
    hideControls: true,
    allowDecimal: false,
    min: -30_000_000,
    max: 30_000_000,
    clampBehavior: 'strict',
  } as const
  return (
    <form
      className={classes['goTo']}
      aria-label={t('map.goTo')}
      onSubmit={(event) => {
        event.preventDefault()
        if (isPlace) handle?.goTo({ x, z })
      }}
    >
      <NumberInput {...field} aria-label="X" placeholder="X" value={x} onChange={setX} />
      <NumberInput {...field} aria-label="Z" placeholder="Z" value={z} onChange={setZ} />
      <Button size="small" type="submit" disabled={!isPlace}>
        {t('map.go')}
      </Button>
    </form>
  )
}

const worldsOf = ({ dimensions }: ShownMap) => new Set(dimensions.map(({ world }) => world)).size

/** What people call a world's dimension; with its world, where there are several. */
export function useMapDimensionName(map: ShownMap): (dimension: MapDimension) => string {
  const nameOf = useDimensionName()
  const isOne = worldsOf(map) < 2
  return ({ world, dimension }) => {
    const name = nameOf(dimension)
    return isOne ? name : `${world} · ${name}`
  }
}

function readView(search: URLSearchParams): View | null {
  const [x, z, zoom] = ['x', 'z', 'zoom'].map((name) => Number(search.get(name) ?? Number.NaN))
  return [x, z, zoom].every((value) => Number.isFinite(value)) ? { x: x!, z: z!, zoom: zoom! } : null
}

/** At the spawn, else in the middle of what is drawn. */
export function startOf(dimension: MapDimension): View {
  const { min_x, min_z, max_x, max_z, spawn } = dimension
  const middle = { x: Math.round((min_x + max_x) / 2), z: Math.round((min_z + max_z) / 2) }
  return { ...(spawn ?? middle), zoom: spawn === null ? zoomToFit(dimension, USUAL_BOX) : 0 }
}
