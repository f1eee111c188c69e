import { ApiError, pathOf } from '@wakestone/contract/client'
import { errorBodySchema } from '@wakestone/contract/errors'
import type { RouteSpec } from '@wakestone/contract/route'
import type { z } from 'zod'
import { sendToApi } from './client.ts'

/** Calls a route with files beside its body, each with the name of its field. @throws ApiError */
export async function sendWithFiles<Schema extends z.ZodType>(
  route: RouteSpec,
  {
    params,
    body,
    files,
    answer,
  }: { params?: object; body: object; files: readonly (readonly [field: string, file: File])[]; answer: Schema },
): Promise<z.output<Schema>> {
  const form = new FormData()
  form.set('payload_json', JSON.stringify(body))
  for (const [field, file] of files) form.append(field, file)
  const response = await sendToApi(pathOf(route, { params }), { method: route.method, body: form })
  const told: unknown = await response.json()
  if (!response.ok) throw new ApiError(response.status, errorBodySchema.parse(told))
  return answer.parse(told)
}
