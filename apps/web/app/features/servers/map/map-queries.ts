import { getMapSettings, getMapState, showMap } from '@wakestone/contract/servers/mapview-routes'
import { queryOf } from '#app/api/query-of.ts'

/** Players are asked for anew while they are shown; else it is looked now and then whether something was drawn. */
const playersEvery = 6_000
const mapEvery = 60_000

export const mapQuery = (id: string) =>
  queryOf(
    showMap,
    { params: { id } },
    { refetchInterval: ({ state }) => (state.data?.players == null ? mapEvery : playersEvery) },
  )
export const mapStateQuery = (id: string) => queryOf(getMapState, { params: { id } })
export const mapSettingsQuery = (id: string) => queryOf(getMapSettings, { params: { id } })
