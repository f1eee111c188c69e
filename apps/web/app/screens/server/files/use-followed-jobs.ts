import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { FileJob } from '@wakestone/contract/servers/files'
import { useEffect } from 'react'
import { filesChanged } from '#app/features/servers/files-changed.ts'
import { followJob, jobsQuery } from './files-queries.ts'

/** After which a job is asked for again whose stream broke off. */
const againAfter = 3_000

/**
 * Jobs with the files of a server, kept up to date: those under way tell how far they are. One is followed at a time, as
 * each holds a connection that uploads want; when it ends all are asked for anew, and so are the folders.
 */
export function useFollowedJobs(serverId: string): { jobs: readonly FileJob[] } | undefined {
  const queries = useQueryClient()
  const { data } = useQuery(jobsQuery(serverId))
  const open = data?.jobs.filter(({ ended_at }) => ended_at === null) ?? []
  const id = (open.find(({ state }) => state === 'running') ?? open[0])?.id
  useEffect(() => {
    if (id === undefined) return undefined
    const leaving = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const keep = (job: FileJob) => {
      queries.setQueryData(
        jobsQuery(serverId).queryKey,
        (known) => known && { jobs: known.jobs.map((one) => (one.id === job.id ? job : one)) },
      )
      if (job.ended_at !== null) void filesChanged(queries, serverId)
    }
    const follow = async () => {
      try {
        for await (const job of followJob(serverId, id, leaving.signal)) keep(job)
      } catch {
        if (leaving.signal.aborted) return
        timer = setTimeout(() => void filesChanged(queries, serverId).then(follow), againAfter)
      }
    }
    void follow()
    return () => {
      leaving.abort()
      clearTimeout(timer)
    }
  }, [queries, serverId, id])
  return data
}
