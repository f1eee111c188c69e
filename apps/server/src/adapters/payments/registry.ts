/** The one place that knows which payment providers there are. */
import type { ProviderId } from '@wakestone/contract/money/transaction'
import type { Settings } from '@wakestone/kit/settings'
import type { PaymentGateway } from './gateway.ts'
import { createPaynowGateway } from './paynow/gateway.ts'
import { createPaypalGateway } from './paypal/gateway.ts'
import { createPayuGateway } from './payu/gateway.ts'

export type Gateways = {
  /** Those that are set up. */
  all: readonly PaymentGateway[]
  find(id: string): PaymentGateway | undefined
  /** The gateway that takes payments by a method. */
  ofMethod(method: ProviderId): PaymentGateway | undefined
}

export function createGateways(settings: Settings): Gateways {
  const made = [createPayuGateway(settings), createPaypalGateway(settings), createPaynowGateway(settings)]
  return gatewaysOf(made.filter((gateway) => gateway !== undefined))
}

export function gatewaysOf(all: readonly PaymentGateway[]): Gateways {
  return {
    all,
    find: (id) => all.find((gateway) => gateway.id === id),
    ofMethod: (method) => all.find((gateway) => gateway.methods.includes(method)),
  }
}
