import type { QueryClient } from '@tanstack/react-query'
import { getDiskStats, listFileJobs, listFiles, listTrash } from '@wakestone/contract/servers/files-routes'
import { answersOf, makeStale } from '#app/api/query-of.ts'

/** Has folders, the disk and jobs asked for anew, after something was done with the files of a server. */
export function filesChanged(queries: QueryClient, serverId: string): Promise<void> {
  const params = { id: serverId }
  return makeStale(
    queries,
    ...[listFiles, getDiskStats, listTrash, listFileJobs].map((route) => answersOf(route, params)),
  )
}
