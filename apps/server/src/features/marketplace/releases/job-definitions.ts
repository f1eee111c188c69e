import { defineJob } from '#src/jobs/boss.ts'

/** Has the gate look at a release whose files have come. */
export const inspectReleaseJob = defineJob<{ releaseId: string }>({
  queue: 'inspect-release',
  policy: 'stately',
  retryLimit: 5,
  retryDelaySeconds: 10,
  expireInSeconds: 1800,
})

/** Drafts whose files never came go away. */
export const clearDraftsJob = defineJob<Record<string, never>>({
  queue: 'clear-release-drafts',
  policy: 'short',
  retryLimit: 3,
  retryDelaySeconds: 60,
  expireInSeconds: 600,
})
