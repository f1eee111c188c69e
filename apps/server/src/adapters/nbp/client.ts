/**
 * Exchange rates of Narodowy Bank Polski: table A, mid rates, published on business days about noon.
 * https://api.nbp.pl/en.html
 */
import { z } from 'zod'
import type { Settings } from '@wakestone/kit/settings'

export type MidRate = {
  /** Such as `223/A/NBP/2026`. */
  table: string
  /** Day of the table, `2026-11-17`. */
  day: string
  /** Złoty for one unit, as decimal text. */
  rate: string
}

/** The bank gave no answer that could be used. */
export class NbpUnavailable extends Error {}

const answerSchema = z.object({
  code: z.string(),
  rates: z.array(z.object({ no: z.string(), effectiveDate: z.string(), mid: z.number().positive() })).min(1),
})

/** Longer than any row of days without a table. */
const daysBack = 14
const isoDay = (date: Date) => date.toISOString().slice(0, 10)

/**
 * The last mid rate published before a day: that of the business day before it.
 * @param before `2026-11-20`.
 * @throws NbpUnavailable
 */
export async function askMidRate(
  { NBP_URL }: Pick<Settings, 'NBP_URL'>,
  { currency, before }: { currency: string; before: string },
  { timeout = 10_000 } = {},
): Promise<MidRate> {
  const end = new Date(`${before}T00:00:00Z`)
  const [first, last] = [daysBack, 1].map((days) => isoDay(new Date(end.getTime() - days * 86_400_000)))
  const base = NBP_URL.replace(/\/$/, '')
  let response: Response
  let body: unknown
  try {
    response = await fetch(`${base}/exchangerates/rates/a/${currency.toLowerCase()}/${first}/${last}/?format=json`, {
      headers: { accept: 'application/json' },
      signal: AbortSignal.timeout(timeout),
    })
    body = response.ok ? await response.json() : undefined
  } catch (error) {
    throw new NbpUnavailable('NBP gave no answer that could be read', { cause: error })
  }
  if (!response.ok) throw new NbpUnavailable(`NBP answered with ${response.status}`)
  const answer = answerSchema.safeParse(body)
  const found = answer.data?.rates.toSorted((left, right) => (left.effectiveDate < right.effectiveDate ? 1 : -1))[0]
  if (found === undefined || answer.data?.code !== currency || found.effectiveDate >= before)
    throw new NbpUnavailable(`NBP answered without a rate of ${currency}`)
  return { table: found.no, day: found.effectiveDate, rate: String(found.mid) }
}
