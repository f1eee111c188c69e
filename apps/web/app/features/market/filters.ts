/** What the gallery is filtered by, as it stands in the address. */
import {
  packageLoaders,
  type PackageLoader,
  projectSorts,
  type ProjectSort,
  projectTypes,
  type ProjectType,
} from '@wakestone/contract/marketplace/values'

export type Filters = {
  name: string
  type: ProjectType | undefined
  label: string | undefined
  loader: PackageLoader | undefined
  version: string
  sort: ProjectSort
  /** Ids after which the pages up to this one began. */
  before: readonly string[]
}

const oneOf = <Value extends string>(values: readonly Value[], text: string | null): Value | undefined =>
  values.find((value) => value === text)

export const pageSize = 20

export function readFilters(search: URLSearchParams): Filters {
  const before = (search.get('after') ?? '').split('.').filter((id) => /^[0-9a-f-]{36}$/.test(id))
  const label = search.get('label') ?? ''
  return {
    name: (search.get('name') ?? '').slice(0, 100),
    type: oneOf(projectTypes, search.get('type')),
    label: /^[a-z0-9-]{2,32}$/.test(label) ? label : undefined,
    loader: oneOf(packageLoaders, search.get('loader')),
    version: /^[0-9A-Za-z._-]{0,32}$/.exec(search.get('version') ?? '')?.[0] ?? '',
    sort: oneOf(projectSorts, search.get('sort')) ?? 'relevance',
    before,
  }
}

/** As the API is asked. */
export function toQuery({ name, type, label, loader, version, sort, before }: Filters) {
  const after = before.at(-1)
  const labels = [type, label].filter((one) => one !== undefined).join(',')
  return {
    ...(name.trim() !== '' && { name }),
    ...(labels !== '' && { labels }),
    ...(loader !== undefined && { loader }),
    ...(version !== '' && { game_version: version }),
    ...(after !== undefined && { after }),
    sort,
    limit: pageSize,
  }
}

export const isFiltered = ({ name, type, label, loader, version }: Filters) =>
  [name.trim(), type, label, loader, version].some((value) => value !== undefined && value !== '')
