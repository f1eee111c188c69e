import { defineJob } from '#src/jobs/boss.ts'

/** Each minute: tells of what has become of releases. */
export const announceReleasesJob = defineJob<Record<string, never>>({
  queue: 'announce-releases',
  policy: 'singleton',
  retryLimit: 0,
  retryDelaySeconds: 60,
  expireInSeconds: 600,
})

/** Tries of one message, the last of them some four hours after the first: each waits twice as long as the one before. */
export const webhookTries = 9

export const sendWebhookJob = defineJob<{ deliveryId: string }>({
  queue: 'send-project-webhook',
  policy: 'standard',
  retryLimit: webhookTries - 1,
  retryDelaySeconds: 60,
  expireInSeconds: 60,
})
