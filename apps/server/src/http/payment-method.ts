/** By what a caller may pay. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { canPayByAffiliate, canPayLater } from '@wakestone/contract/capabilities'
import { DomainError } from '@wakestone/contract/errors'
import type { PaymentMethod } from '@wakestone/contract/money/transaction'
import { locate } from '#src/features/ground/location/service.ts'
import type { Api } from './implement.ts'
import type { Principal } from './principal.ts'

type Calling = { user: Principal; ip: string; request: FastifyRequest; reply: FastifyReply }

/** Whether the flag is on for the caller. */
export async function isPayLaterOn(
  { flags, context }: Pick<Api, 'flags' | 'context'>,
  call: Calling,
): Promise<boolean> {
  const { userId } = call.user
  const { country } = locate(call, context.settings)
  return (await flags.evaluate({ key: userId, userId, country, language: 'en' }))['pay-later']
}

/** @throws DomainError `unsupported_payment_method`, `insufficient_capabilities`. */
export async function requireMethod(
  api: Pick<Api, 'flags' | 'context'>,
  call: Calling,
  method: PaymentMethod,
): Promise<void> {
  const { capabilities } = call.user
  if (method === 'affiliate' && !canPayByAffiliate(capabilities)) throw new DomainError('insufficient_capabilities')
  if (method !== 'pay-later') return
  if (!canPayLater(capabilities)) throw new DomainError('insufficient_capabilities')
  if (!(await isPayLaterOn(api, call))) throw new DomainError('unsupported_payment_method')
}
