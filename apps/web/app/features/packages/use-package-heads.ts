import { useQuery } from '@tanstack/react-query'
import type { PackageHead } from '@wakestone/contract/servers/package-search'
import { listPackageHeads } from '@wakestone/contract/servers/packages-routes'
import { queryOf } from '#app/api/query-of.ts'

const mostNames = 60

/**
 * Titles of packages of which only the names are known; the name itself until they have loaded.
 * `isPending`: they are about to come, so that a list does not show other words for a moment.
 */
export function usePackageHeads(
  serverId: string,
  names: readonly string[],
): { headOf: (name: string) => PackageHead | undefined; titleOf: (name: string) => string; isPending: boolean } {
  const asked = [...new Set(names)].toSorted().slice(0, mostNames)
  const { data, isLoading, failureCount } = useQuery({
    ...queryOf(listPackageHeads, { query: { names: asked.join(','), server: serverId } }, { staleTime: 300_000 }),
    enabled: asked.length > 0,
  })
  const headOf = (name: string) => data?.find((head) => head.name === name)
  return { headOf, titleOf: (name) => headOf(name)?.title ?? name, isPending: isLoading && failureCount === 0 }
}
