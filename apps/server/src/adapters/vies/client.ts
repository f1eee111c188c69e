/**
 * VIES, the European Commission's register of VAT ids, by its REST service. It passes each question on to the member
 * state, and is often out of reach.
 * https://ec.europa.eu/taxation_customs/vies/#/technical-information
 */
import { z } from 'zod'
import type { Settings } from '@wakestone/kit/settings'

export type ViesAnswer = {
  isValid: boolean
  /** Evidence of the question; given to those who name their own VAT id. */
  consultationNumber: string | null
}

/** The register, or the member state behind it, gave no answer. */
export class ViesUnavailable extends Error {}

const answerSchema = z.object({ valid: z.boolean(), requestIdentifier: z.string().nullish() })
const errorSchema = z.object({
  userError: z.string().optional(),
  errorWrappers: z.array(z.object({ error: z.string() })).optional(),
})

/** @throws ViesUnavailable whose message is the register's own code, such as `MS_UNAVAILABLE`, where it gave one. */
export async function askVies(
  { VIES_URL, OPERATOR_VAT_ID }: Pick<Settings, 'VIES_URL' | 'OPERATOR_VAT_ID'>,
  taxId: string,
  { timeout = 20_000 } = {},
): Promise<ViesAnswer> {
  const requester = OPERATOR_VAT_ID && {
    requesterMemberStateCode: OPERATOR_VAT_ID.slice(0, 2),
    requesterNumber: OPERATOR_VAT_ID.slice(2),
  }
  let response: Response
  let body: unknown
  try {
    response = await fetch(`${VIES_URL.replace(/\/$/, '')}/check-vat-number`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ countryCode: taxId.slice(0, 2), vatNumber: taxId.slice(2), ...requester }),
      redirect: 'error',
      signal: AbortSignal.timeout(timeout),
    })
    body = await response.json()
  } catch (error) {
    throw new ViesUnavailable('no answer that could be read', { cause: error })
  }
  const fault = errorSchema.safeParse(body).data
  const code = fault?.errorWrappers?.[0]?.error ?? fault?.userError
  // What it takes for no number at all is no registered one either.
  if (code === 'INVALID_INPUT') return { isValid: false, consultationNumber: null }
  if (code !== undefined && code !== 'VALID' && code !== 'INVALID') throw new ViesUnavailable(code)
  const answer = answerSchema.safeParse(body)
  if (!response.ok || !answer.success) throw new ViesUnavailable(`status ${response.status} without an answer`)
  return { isValid: answer.data.valid, consultationNumber: answer.data.requestIdentifier || null }
}
