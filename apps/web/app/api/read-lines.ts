/** Lists that the API tells as it reads them: one JSON value per line, the last of which says how it ended. */
import { ApiError } from '@wakestone/contract/client'
import { errorBodySchema } from '@wakestone/contract/errors'
import { lineEndSchema } from '@wakestone/contract/servers/files'
import { sendToApi } from './client.ts'

/** What the API refused with. */
export async function refusalOf(response: Response): Promise<ApiError> {
  const body = errorBodySchema.safeParse(await response.json().catch(() => undefined))
  const eventId = response.headers.get('x-transaction-id') ?? ''
  return new ApiError(response.status, body.success ? body.data : { error: 'not_recognized', event_id: eventId })
}

/**
 * Lines as they arrive, some at a time; returns whether there would be more than was told.
 * @param isLine tells a line from the end
 * @throws ApiError where it is refused or breaks off, TypeError without a connection.
 */
export async function* readLines<Line>(
  path: string,
  signal: AbortSignal,
  isLine: (value: unknown) => boolean = Array.isArray,
): AsyncGenerator<Line[], boolean> {
  const response = await sendToApi(path, { headers: { accept: 'application/x-ndjson' }, signal })
  if (!response.ok || response.body === null) throw await refusalOf(response)
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  try {
    let rest = ''
    for (;;) {
      const { done, value } = await reader.read()
      // Cut off: a list that is whole says so.
      if (done) throw new TypeError('the list broke off')
      const cut = value.lastIndexOf('\n')
      if (cut < 0) {
        rest += value
        continue
      }
      const told = JSON.parse(`[${(rest + value.slice(0, cut)).replaceAll('\n', ',')}]`) as unknown[]
      rest = value.slice(cut + 1)
      const last = told.at(-1)
      const end = isLine(last) ? undefined : lineEndSchema.parse(told.pop())
      if (told.length > 0) yield told as Line[]
      if (end === undefined) continue
      if ('error' in end) throw new ApiError(500, { error: end.error, event_id: '' })
      return end.truncated
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}
