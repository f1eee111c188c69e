import { defineJob } from '#src/jobs/boss.ts'

/** Has what was put into quarantine taken away from all servers. */
export const isolatePackagesJob = defineJob<Record<string, never>>({
  queue: 'isolate-packages',
  policy: 'standard',
  retryLimit: 5,
  retryDelaySeconds: 2,
  expireInSeconds: 120,
})
