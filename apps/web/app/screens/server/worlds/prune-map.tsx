import { useQuery } from '@tanstack/react-query'
import type { ScanLine, World } from '@wakestone/contract/servers/worlds'
import { tileAddress } from '#app/features/servers/map/map-coordinates.ts'
import { mapQuery } from '#app/features/servers/map/map-queries.ts'
import { useDimensionName } from '#app/features/servers/dimension-name.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useWorlds } from './use-worlds.ts'
import classes from './worlds.module.css'

export type PrunedRegion = NonNullable<ScanLine[6]>

/** Of more regions only the squares are drawn: each picture is a request. */
const mostPictures = 150
/** Of more squares nothing can be told apart. */
const mostSquares = 4_000
const side = 32

/** Which regions lose something, on the map where one is drawn: red all of it, hatched in part. */
export function PruneMap({ world, regions }: { world: World; regions: readonly PrunedRegion[] }) {
  const { t } = useTranslation()
  const { server } = useWorlds()
  const dimensionName = useDimensionName()
  const { data: map } = useQuery(mapQuery(server.id))
  const folders = [...new Set(regions.map(([folder]) => folder))]
  return folders.map((folder) => {
    const all = regions.filter(([of]) => of === folder)
    const dimension = world.dimensions.find((one) => one.folder === folder)
    const drawn = map?.dimensions.find((one) => one.world === world.folder && one.dimension === dimension?.name)
    const some = all.toSorted((one, other) => other[4] - one[4]).slice(0, mostSquares)
    const xs = some.map(([, x]) => x)
    const zs = some.map(([, , z]) => z)
    const [left, top] = [Math.min(...xs), Math.min(...zs)]
    const [width, height] = [Math.max(...xs) - left + 1, Math.max(...zs) - top + 1]
    const whole = all.filter(([, , , chunks, unused]) => unused > 0 && unused === chunks).length
    const partly = all.filter(([, , , chunks, unused]) => unused > 0 && unused < chunks).length
    const name = dimensionName(dimension?.name ?? folder)
    const words = t('worlds.pruneRegions', { name, whole, partly, count: all.length })
    return (
      <figure key={folder} className={classes['pruneMap']}>
        <svg viewBox={`0 0 ${width * side} ${height * side}`} role="img" aria-label={words}>
          {some.map(([, x, z, chunks, unused]) => (
            <g key={`${x} ${z}`} transform={`translate(${(x - left) * side} ${(z - top) * side})`}>
              {drawn !== undefined && map !== undefined && some.length <= mostPictures && (
                <image
                  href={tileAddress(server.id, {
                    dimension: drawn.id,
                    layer: map.layers[0] ?? 'day',
                    zoomOut: 0,
                    x,
                    z,
                    version: map.version,
                  })}
                  width={side}
                  height={side}
                />
              )}
              <rect width={side} height={side} data-goes={unused === 0 ? 'none' : unused === chunks ? 'all' : 'some'}>
                <title>{t('worlds.pruneRegion', { x, z, unused, count: chunks })}</title>
              </rect>
            </g>
          ))}
        </svg>
        <figcaption>{words}</figcaption>
      </figure>
    )
  })
}
