/** How a way out may fail. Any other error is tried again a little later. */

/** Will never work: it is not tried again. `reason` is shown to the user. */
export class DeliveryRefused extends Error {}

/** The receiver no longer exists. */
export class ReceiverGone extends DeliveryRefused {}

/** The receiver says when to come back. */
export class ComeBackLater extends Error {
  readonly seconds: number
  constructor(seconds: number) {
    super('the receiver asked us to wait')
    this.seconds = seconds
  }
}

/** Sorts an answer by its status. @throws when it is not a success */
export function checkAnswer({ status, headers }: { status: number; headers: Record<string, unknown> }): void {
  if (status >= 200 && status < 300) return
  if (status === 404 || status === 410) throw new ReceiverGone(`HTTP ${status}`)
  if (status === 429 || status === 503) {
    const seconds = Number(headers['retry-after'])
    if (Number.isFinite(seconds) && seconds > 0) throw new ComeBackLater(Math.min(seconds, 3600))
  }
  if (status >= 400 && status < 500 && status !== 408 && status !== 425 && status !== 429)
    throw new DeliveryRefused(`HTTP ${status}`)
  throw new Error(`HTTP ${status}`)
}
