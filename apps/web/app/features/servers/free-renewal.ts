import { freeRenewalDays } from '@wakestone/contract/sales/service'

/** From when on a free server may be kept for longer: milliseconds since 1970. */
export const freeRenewalOpens = (expires: string): number => Date.parse(expires) - freeRenewalDays * 86_400_000
