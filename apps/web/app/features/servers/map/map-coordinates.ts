/** Blocks as Leaflet has them: z runs down, x to the right, and at zoom 0 a block is a pixel. */
import type * as Leaflet from 'leaflet'

/** Leaflet's own has z run up. */
export const makeCoordinates = (L: typeof Leaflet): Leaflet.CRS =>
  L.Util.extend({}, L.CRS.Simple, { transformation: new L.Transformation(1, 0, 1, 0) }) as Leaflet.CRS

export const toPoint = ({ x, z }: { x: number; z: number }): [number, number] => [z, x]

export const toBounds = (
  L: typeof Leaflet,
  { min_x, min_z, max_x, max_z }: { min_x: number; min_z: number; max_x: number; max_z: number },
) => L.latLngBounds(toPoint({ x: min_x, z: min_z }), toPoint({ x: max_x, z: max_z }))

/** Where a tile lies; `version` has a browser ask anew. */
export function tileAddress(
  mapId: string,
  {
    dimension,
    layer,
    zoomOut,
    x,
    z,
    version,
  }: { dimension: string; layer: string; zoomOut: number; x: number; z: number; version: string },
): string {
  const query = `?version=${encodeURIComponent(version)}`
  return `/api/v1/mapview/${mapId}/tiles/${dimension}/${layer}/${zoomOut}/${x}.${z}.webp${query}`
}

/** How far out a map has to be so that all of a dimension is seen in a box of so many pixels. */
export function zoomToFit(
  {
    min_x,
    min_z,
    max_x,
    max_z,
  }: {
    min_x: number
    min_z: number
    max_x: number
    max_z: number
  },
  pixels: number,
): number {
  return Math.min(1, Math.floor(Math.log2(pixels / Math.max(max_x - min_x, max_z - min_z, 1))))
}
