/**
 * Why restic did not do what it was asked for:
 *
 *   missing    there is no repository, or no such snapshot
 *   locked     somebody else works on it, or died while they did
 *   password   ours does not open it
 *   cancelled  we ended it
 *   damaged    what is there is not what was put there
 *   failed     anything else: its storage is away or full
 */
export type ResticFault = 'missing' | 'locked' | 'password' | 'cancelled' | 'damaged' | 'failed'

export class ResticError extends Error {
  readonly fault: ResticFault
  constructor(fault: ResticFault, message: string) {
    super(message)
    this.name = 'ResticError'
    this.fault = fault
  }
}

/** Statuses that restic documents for scripts; others are failures. */
const faults: Record<number, ResticFault> = { 10: 'missing', 11: 'locked', 12: 'password', 130: 'cancelled' }

export const faultOf = (code: number | null): ResticFault => faults[code ?? -1] ?? 'failed'
