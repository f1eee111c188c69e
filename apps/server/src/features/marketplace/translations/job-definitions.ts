import { defineJob } from '#src/jobs/boss.ts'

/** Each five minutes, where a service is set: puts descriptions into languages that their authors left empty. */
export const translateDescriptionsJob = defineJob<Record<string, never>>({
  queue: 'translate-descriptions',
  policy: 'singleton',
  retryLimit: 0,
  retryDelaySeconds: 60,
  expireInSeconds: 1800,
})
