import { getMapSettings, getMapState, showMap } from '@wakestone/contract/servers/mapview-routes'
import { queryOf } from '#app/api/query-of.ts'

export const mapQuery = (id: string) => queryOf(showMap, { params: { id } })
export const mapStateQuery = (id: string) => queryOf(getMapState, { params: { id } })
export const mapSettingsQuery = (id: string) => queryOf(getMapSettings, { params: { id } })
