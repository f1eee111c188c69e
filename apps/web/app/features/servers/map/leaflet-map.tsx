import 'leaflet/dist/leaflet.css'
import type { MapArea, MapDimension, MapLayer, ShownMap } from '@wakestone/contract/servers/mapview'
import type * as Leaflet from 'leaflet'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { makeCoordinates, tileAddress, toBounds, toPoint } from './map-coordinates.ts'
import classes from './map.module.css'

/** Pixels for a block, as a power of two: the map can be enlarged so far. */
const NEAREST = 4
const TILE = 512
/** Pixels from which on an area has its name written in it; one that is smaller tells it to who points at it. */
const ROOM_FOR_NAME = 48
/** From here on markers have their names beside them: farther out they lie too close together. */
const NAMED_MARKERS_ZOOM = -1

/** What is seen: the block in the middle, and pixels for a block as a power of two. */
export type MapView = { x: number; z: number; zoom: number }
export type MapHandle = {
  goTo(view: Partial<MapView>): void
}

/**
 * The moving picture: tiles of one dimension in one layer, and what is drawn over them. Leaflet is brought when it is
 * first shown. Whoever shows it says in words what it tells.
 */
export function LeafletMap({
  map,
  dimension,
  layer,
  version,
  view,
  onView,
  onPointer,
  onHandle,
  onPick,
}: {
  map: ShownMap
  dimension: MapDimension
  layer: MapLayer
  /** Another one has all tiles asked for anew; those from before stay until they are there. */
  version: string
  view: MapView
  onView: (view: MapView) => void
  /** The block under the pointer. */
  onPointer: (block: { x: number; z: number } | null) => void
  onHandle: (handle: MapHandle | null) => void
  /** The block that was clicked. */
  onPick?: (block: { x: number; z: number }) => void
}) {
  const { t } = useTranslation()
  const boxRef = useRef<HTMLDivElement>(null)
  const [shown, setShown] = useState<{ L: typeof Leaflet; map: Leaflet.Map } | null>(null)
  const [hasFailed, setFailed] = useState(false)
  const latest = useRef({ view, onView, onPointer, onHandle, onPick, t })
  latest.current = { view, onView, onPointer, onHandle, onPick, t }
  const zoomOuts = dimension.zoom_outs

  useEffect(() => {
    let isGone = false
    let opened: Leaflet.Map | undefined
    import('leaflet').then(
      (module) => {
        if (isGone || boxRef.current === null) return
        const L = 'map' in module ? module : (module as { default: typeof Leaflet }).default
        opened = openMap(L, boxRef.current)
        setShown({ L, map: opened })
      },
      () => setFailed(true),
    )
    return () => {
      isGone = true
      latest.current.onHandle(null)
      opened?.remove()
      setShown(null)
    }

    function openMap(L: typeof Leaflet, box: HTMLElement): Leaflet.Map {
      const { view: begun, t: text } = latest.current
      const made = L.map(box, {
        crs: makeCoordinates(L),
        center: toPoint(begun),
        zoom: begun.zoom,
        maxZoom: NEAREST,
        minZoom: -zoomOuts - 1,
        zoomControl: false,
        attributionControl: false,
        // Whoever wants no motion gets none.
        ...(matchMedia('(prefers-reduced-motion: reduce)').matches && {
          zoomAnimation: false,
          fadeAnimation: false,
          inertia: false,
        }),
      })
      L.control.zoom({ zoomInTitle: text('map.zoomIn'), zoomOutTitle: text('map.zoomOut') }).addTo(made)
      made.on('moveend', () => {
        const { lat, lng } = made.getCenter()
        latest.current.onView({ x: Math.floor(lng), z: Math.floor(lat), zoom: made.getZoom() })
      })
      made.on('mousemove', ({ latlng }) =>
        latest.current.onPointer({ x: Math.floor(latlng.lng), z: Math.floor(latlng.lat) }),
      )
      made.on('click', ({ latlng }) =>
        latest.current.onPick?.({ x: Math.floor(latlng.lng), z: Math.floor(latlng.lat) }),
      )
      made.on('mouseout', () => latest.current.onPointer(null))
      latest.current.onHandle({
        goTo(next) {
          const { lat, lng } = made.getCenter()
          made.setView(toPoint({ x: next.x ?? lng, z: next.z ?? lat }), next.zoom ?? made.getZoom())
        },
      })
      return made
    }
    // oxlint-disable-next-line react/exhaustive-deps -- another dimension has another component
  }, [])

  useTiles(shown, { mapId: map.server.id, dimension, layer, version })
  useMarks(shown, { map, dimension })

  return (
    <div
      ref={boxRef}
      className={classes['picture']}
      role="application"
      data-picking={onPick !== undefined || undefined}
      aria-label={`${t('map.label', { name: map.server.name })}. ${t('map.keys')}`}
      data-layer={layer}
    >
      {hasFailed && <p className={classes['failure']}>{t('map.loadFailed')}</p>}
    </div>
  )
}

type Opened = { L: typeof Leaflet; map: Leaflet.Map } | null

/** The tiles: those from before go when the new ones are there, so that nothing flickers. */
function useTiles(
  opened: Opened,
  { mapId, dimension, layer, version }: { mapId: string; dimension: MapDimension; layer: MapLayer; version: string },
) {
  const previous = useRef<Leaflet.TileLayer | null>(null)
  const { min_x, min_z, max_x, max_z, zoom_outs, id } = dimension
  useEffect(() => {
    if (opened === null) return undefined
    const { L, map } = opened
    const Tiles = L.TileLayer.extend({
      getTileUrl: ({ x, y }: { x: number; y: number }) => {
        const zoomOut = Math.max(0, -Math.min(0, tiles._getZoomForUrl()))
        return tileAddress(mapId, { dimension: id, layer, zoomOut, x, z: y, version })
      },
    }) as unknown as new (
      address: string,
      options: Leaflet.TileLayerOptions,
    ) => Leaflet.TileLayer & {
      _getZoomForUrl(): number
    }
    const tiles = new Tiles('', {
      tileSize: TILE,
      minNativeZoom: -zoom_outs,
      maxNativeZoom: 0,
      minZoom: -zoom_outs - 1,
      maxZoom: NEAREST,
      bounds: toBounds(L, { min_x, min_z, max_x, max_z }),
      noWrap: true,
      className: classes['tile'] ?? '',
    })
    const old = previous.current
    tiles.once('load', () => old?.remove())
    tiles.addTo(map)
    previous.current = tiles
    return () => {
      // Stays until the next one is there; one that was replaced in the meantime goes at once.
      old?.remove()
    }
  }, [opened, mapId, id, layer, version, min_x, min_z, max_x, max_z, zoom_outs])
  useEffect(() => {
    if (opened === null) previous.current = null
  }, [opened])
}

/** Spawn, areas and players. */
function useMarks(opened: Opened, { map, dimension }: { map: ShownMap; dimension: MapDimension }) {
  const { t } = useTranslation()
  const first = map.dimensions[0]?.id
  useEffect(() => {
    if (opened === null) return undefined
    const { L, map: picture } = opened
    const marks = L.layerGroup().addTo(picture)
    const { spawn } = dimension
    if (spawn !== null) addPin(L, marks, { ...spawn, name: t('map.spawn'), kind: 'spawn' })
    const areas = map.areas
      .filter((area) => (area.dimension ?? first) === dimension.id)
      .flatMap((area) => addArea(L, marks, area))
    const nameAll = () => {
      for (const area of areas) writeName(picture, area)
    }
    nameAll()
    picture.on('zoomend', nameAll)
    for (const player of map.players ?? [])
      if (player.dimension === dimension.id) addPin(L, marks, { ...player, kind: 'player' })
    return () => {
      picture.off('zoomend', nameAll)
      marks.remove()
    }
  }, [opened, map, dimension, first, t])
}

/** Names are people's own words: they go in as text, never as HTML. */
function label(name: string): HTMLElement {
  const element = document.createElement('span')
  element.textContent = name
  return element
}

function addPin(
  L: typeof Leaflet,
  marks: Leaflet.LayerGroup,
  { x, z, name, kind, colour }: { x: number; z: number; name: string; kind: string; colour?: string },
): Leaflet.Marker {
  const icon = document.createElement('span')
  icon.className = classes['pin'] ?? ''
  icon.dataset['kind'] = kind
  icon.setAttribute('role', 'img')
  icon.setAttribute('aria-label', name)
  if (colour !== undefined) icon.style.setProperty('--colour', colour)
  const options = { html: icon, className: '', iconSize: [22, 22] as [number, number] }
  return L.marker(toPoint({ x: x + 0.5, z: z + 0.5 }), { icon: L.divIcon(options), keyboard: false })
    .bindTooltip(label(name), { direction: 'top', offset: [0, -10] })
    .addTo(marks)
}

type DrawnArea = { name: string; layer: Leaflet.Marker } | { name: string; layer: Leaflet.Polygon }

function addArea(L: typeof Leaflet, marks: Leaflet.LayerGroup, { name, points, colour }: MapArea): DrawnArea[] {
  const [one, other] = points
  if (one === undefined) return []
  if (other === undefined)
    return [{ name, layer: addPin(L, marks, { x: one[0], z: one[1], name, kind: 'area', colour }) }]
  const look = { color: colour, weight: 2, fillOpacity: 0.15 }
  const corners = points.map(([x, z]) => toPoint({ x, z }))
  const layer = points.length === 2 ? L.rectangle(L.latLngBounds(corners), look) : L.polygon(corners, look)
  return [{ name, layer: layer.addTo(marks) }]
}

/** Beside a marker and within an area, where there is room for it as large as it is seen; else for who points at it. */
function writeName(picture: Leaflet.Map, { name, layer }: DrawnArea): void {
  const isPin = 'getLatLng' in layer
  const permanent = isPin ? picture.getZoom() >= NAMED_MARKERS_ZOOM : widthOf(picture, layer) >= ROOM_FOR_NAME
  if (layer.getTooltip()?.options.permanent === permanent) return
  const place: Leaflet.TooltipOptions = isPin
    ? { direction: 'right', offset: [8, 0] }
    : permanent
      ? { direction: 'center' }
      : { sticky: true }
  layer.unbindTooltip().bindTooltip(label(name), { ...place, permanent, className: classes['name'] ?? '' })
}

function widthOf(picture: Leaflet.Map, shape: Leaflet.Polygon): number {
  const bounds = shape.getBounds()
  return Math.abs(
    picture.latLngToLayerPoint(bounds.getNorthEast()).x - picture.latLngToLayerPoint(bounds.getNorthWest()).x,
  )
}
