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

/**
 * The same for changes that come one after the other: lists of large folders take longer than the time between two, so
 * each is let come to its end, and asked for once more afterwards.
 */
export function createFilesRefresh(queries: QueryClient, serverId: string): () => void {
  let isRunning = false
  let isWanted = false
  const refresh = async () => {
    isWanted = true
    if (isRunning) return
    isRunning = true
    while (isWanted) {
      isWanted = false
      await filesChanged(queries, serverId)
    }
    isRunning = false
  }
  return () => void refresh()
}
