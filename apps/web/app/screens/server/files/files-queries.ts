/** What this tab knows of a server's files. */
import type { QueryClient } from '@tanstack/react-query'
import { pathOf } from '@wakestone/contract/client'
import type { FileLine } from '@wakestone/contract/servers/file-values'
import type { FileJob } from '@wakestone/contract/servers/files'
import {
  followFileJob,
  getDiskStats,
  getFileStat,
  listFileJobs,
  listFileRevisions,
  listFiles,
  listTrash,
} from '@wakestone/contract/servers/files-routes'
import { queryOf } from '#app/api/query-of.ts'
import { entryOf, type FileEntry } from './file-entry.ts'
import { readLines } from '#app/api/read-lines.ts'

export type Folder = { entries: readonly FileEntry[]; isTruncated: boolean }

/** A long list is shown while the rest of it comes, so many milliseconds after another. */
const partsApart = 400

/** What is in a folder. `hidden`: also what begins with a dot. */
export function folderQuery(serverId: string, path: string, hidden: boolean) {
  const call = { params: { id: serverId }, query: { path, hidden: hidden ? '1' : '0' } } as const
  const query = queryOf(listFiles, call, { read: async (): Promise<Folder> => ({ entries: [], isTruncated: false }) })
  return {
    ...query,
    staleTime: 5_000,
    queryFn: async ({ client, signal }: { client: QueryClient; signal: AbortSignal }): Promise<Folder> => {
      const isFirst = client.getQueryData(query.queryKey) === undefined
      const entries: FileEntry[] = []
      let shown = performance.now()
      const reading = readLines<FileLine>(pathOf(listFiles, call), signal)
      for (;;) {
        const { done, value } = await reading.next()
        if (done) return { entries, isTruncated: value }
        for (const line of value) entries.push(entryOf(line))
        if (!isFirst || performance.now() - shown < partsApart) continue
        shown = performance.now()
        client.setQueryData(query.queryKey, { entries: [...entries], isTruncated: false })
      }
    },
  }
}

export const diskQuery = (serverId: string) =>
  queryOf(getDiskStats, { params: { id: serverId } }, { refetchInterval: 60_000 })

/** How often it is looked whether somebody else has changed an open file. */
const lookEvery = 15_000

export const statQuery = (serverId: string, path: string) =>
  queryOf(
    getFileStat,
    { params: { id: serverId }, query: { path } },
    { refetchInterval: lookEvery, refetchOnWindowFocus: true, staleTime: 0 },
  )

export const trashQuery = (serverId: string) => queryOf(listTrash, { params: { id: serverId } })

export const revisionsQuery = (serverId: string, path: string) =>
  queryOf(listFileRevisions, { params: { id: serverId }, query: { path } })

/** That one has begun is told by the server's stream; `useFollowedJobs` tells how far it is. The rest is for an accident. */
export const jobsQuery = (serverId: string) =>
  queryOf(listFileJobs, { params: { id: serverId } }, { refetchInterval: 60_000 })

/** A job as it goes, until it is over. */
export async function* followJob(serverId: string, id: string, signal: AbortSignal): AsyncGenerator<FileJob> {
  const path = pathOf(followFileJob, { params: { id: serverId, job_id: id } })
  for await (const jobs of readLines<FileJob>(path, signal, isJob)) yield* jobs.slice(-1)
}
const isJob = (line: unknown): line is FileJob => typeof line === 'object' && line !== null && 'kind' in line
