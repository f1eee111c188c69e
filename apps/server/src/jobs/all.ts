/** Every kind of background job, so that api and worker agree on the queues. */
import { killJob, reconcileJob } from '#src/features/servers/jobs.ts'
import { gatewayEventJob } from '#src/features/transactions/inbox.ts'
import { sendConfirmationJob } from '#src/features/users/email-confirmation.ts'
import type { JobDefinition } from './boss.ts'

export const allJobs: readonly JobDefinition<object>[] = [sendConfirmationJob, reconcileJob, killJob, gatewayEventJob]
