/**
 * Plans of services: changed now or as planned, with what is added to them. What a change costs is decided by the rules
 * in `features/services/value.ts`.
 */
import type { AddOn } from '@wakestone/contract/sales/service-change'
import type { Handle } from '#src/db/client.ts'
import type { ServiceRow } from '#src/features/sales/services/service.ts'
import { describeAddOn } from './quote.ts'
import { situate } from './situation.ts'

export { giveAddOn } from './gift.ts'
export { dropPlans, giveTime, listScheduledActions, releasePlans, runDueActions, setCancelled } from './planned.ts'
export { type ChangeRow, forgetRenewal, selectChangesSince as listChangesSince } from './repo.ts'
export { storageWithout, undoChange } from './withdrawn.ts'
export { productAfter, prolong, quoteRenewalOf } from './renewal.ts'

/** What was added to a service, with what it holds now. */
export async function listAddOnsOf(db: Handle, service: ServiceRow, now: Date): Promise<AddOn[]> {
  return (await situate(db, service, now)).addOns.map(describeAddOn)
}
