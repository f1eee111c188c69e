/** What packages are looked for by, as it stands in the address. */
import {
  type PackageKind,
  packageKinds,
  type PackageSource,
  packageSources,
} from '@wakestone/contract/servers/package-search'

export type FindFilters = {
  query: string
  kind: PackageKind | undefined
  source: PackageSource | undefined
  onlyFits: boolean
}

export const readFindFilters = (search: URLSearchParams): FindFilters => ({
  query: (search.get('name') ?? '').slice(0, 100),
  kind: packageKinds.find((kind) => kind === search.get('kind')),
  source: packageSources.find((source) => source === search.get('source')),
  onlyFits: search.get('fits') === '1',
})

export const isFiltered = ({ query, kind, source, onlyFits }: FindFilters): boolean =>
  query.trim() !== '' || kind !== undefined || source !== undefined || onlyFits
