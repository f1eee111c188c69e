import { withdrawalDays } from '@wakestone/contract/sales/withdrawal'

/** Until when one withdraws from what was bought then. */
export const deadlineOf = (at: Date) => new Date(at.getTime() + withdrawalDays * 86_400_000)
