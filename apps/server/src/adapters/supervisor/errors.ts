/**
 * Why a supervisor gave no answer that is of use:
 *
 *   unreached   nobody answered: it is dead, or stuck
 *   unreadable  it lives, but what it says is not what this version understands, or no sense at all
 *   refused     it understood and said no; `status` 409 = does not fit its state
 */
export type SupervisorFault = 'unreached' | 'unreadable' | 'refused'

export class SupervisorError extends Error {
  readonly fault: SupervisorFault
  /** HTTP status of a refusal; 0 without one. */
  readonly status: number
  constructor(
    fault: SupervisorFault,
    message: string,
    { status = 0, ...options }: ErrorOptions & { status?: number } = {},
  ) {
    super(message, options)
    this.fault = fault
    this.status = status
  }
}
