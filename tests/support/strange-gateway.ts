/** PayPal, which lists a payment that nobody here knows: a day compared with it has a difference. */
import type { PaymentGateway } from '../../apps/server/src/adapters/payments/gateway.ts'

export const strangeGateway = {
  id: 'paypal',
  listMovements: async (at: Date) => [
    {
      kind: 'capture',
      id: '3C679366HH908993F',
      paymentId: null,
      orderId: '5O190127TN364715T',
      externalId: null,
      amount: 2500,
      currency: 'PLN',
      at,
    },
  ],
} as unknown as PaymentGateway
