import { z } from 'zod'
import { idSchema } from '../primitives.ts'
import type { TransportSpec } from '../transport.ts'
import { mapDimensionSchema, mapLayers } from './mapview.ts'

/**
 * A picture of 512 × 512 pixels. At zoom 0 a pixel is a block and tile 0, 0 begins at block 0, 0; at each zoom out it
 * covers twice as many. What is not drawn is answered with 204, no content.
 */
export const mapTile = {
  kind: 'bytes',
  method: 'GET',
  path: '/api/v1/mapview/:id/tiles/:dimension/:layer/:zoomOut/:tile',
  tag: 'Maps',
  summary: 'Get a tile of a server’s map: `{x}.{z}.webp`',
  access: { kind: 'public' },
  keyScope: 'any',
  params: z.object({ id: z.string(), dimension: z.string(), layer: z.string(), zoomOut: z.string(), tile: z.string() }),
  /** Of the map, so that a browser asks anew when it has changed. */
  query: z.object({ version: z.string().max(40).optional() }),
  type: 'image/webp',
  /** Also where the caller may not see the map. */
  errors: ['resource_not_found'],
} as const satisfies TransportSpec

/** What the parameters of a tile that there can be look like. */
export const mapTileSchema = z.object({
  id: idSchema,
  dimension: mapDimensionSchema.shape.id,
  layer: z.enum(mapLayers),
  zoomOut: z.string().regex(/^[0-7]$/),
  tile: z.string().regex(/^-?\d{1,6}\.-?\d{1,6}\.webp$/),
})
