/** Asking a gateway over HTTP: one attempt, with an end. */
import type { z } from 'zod'
import { GatewayUnavailable } from './gateway.ts'

export type Answer = { status: number; body: unknown }

/** @throws GatewayUnavailable when no whole answer came. A body that is no JSON is undefined. */
export async function ask(
  name: string,
  url: string,
  init: RequestInit,
  { timeout }: { timeout: number },
): Promise<Answer> {
  let response: Response
  let text: string
  try {
    response = await fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(timeout) })
    text = await response.text()
  } catch (error) {
    throw new GatewayUnavailable(`${name} did not answer ${new URL(url).pathname}`, { cause: error })
  }
  return { status: response.status, body: text === '' ? undefined : parseJson(text) }
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** @throws GatewayUnavailable when the answer is not what the gateway's documentation says. */
export function read<Schema extends z.ZodType>(name: string, schema: Schema, body: unknown): z.output<Schema> {
  const result = schema.safeParse(body)
  if (!result.success) throw new GatewayUnavailable(`${name} answered something else than its documentation says`)
  return result.data
}

/**
 * Answers of the 400s that say nothing of the request: 401 is about our credentials, 408 and 429 are about time, and
 * 409 says that the same request is under way.
 */
const aboutElse = [401, 408, 409, 429]

/** Whether an answer says for certain that nothing was done, and nothing will be. */
export const isRefusal = (status: number) => status >= 400 && status < 500 && !aboutElse.includes(status)
