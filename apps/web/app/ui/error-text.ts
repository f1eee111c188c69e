import { useTranslation } from '#app/i18n/texts.tsx'
import type { ErrorBody, ErrorCode } from '@wakestone/contract/errors'
import type { Texts } from '#app/i18n/create-i18n.ts'

type TextCode = keyof Texts['errors']

/** What the API answered. Told by its shape, not its class: importing the client would put zod on every page. */
export function errorBodyOf(error: unknown): ErrorBody | undefined {
  return error instanceof Error && error.name === 'ApiError' && 'body' in error ? (error.body as ErrorBody) : undefined
}

/** What is not there, or not the visitor's to see, is not there the next time either. */
export const isWorthRetrying = (error: unknown): boolean =>
  !(error instanceof Error && 'status' in error && (error.status === 403 || error.status === 404))

/** The code of an error: one of the catalogue (also a bare code), or `network` when no answer came. */
export function errorCodeOf(error: unknown): ErrorCode | 'network' {
  const body = errorBodyOf(error)
  if (body !== undefined) return body.error
  if (typeof error === 'string') return error as ErrorCode
  // Of an operation.
  if (!(error instanceof Error) && typeof error === 'object' && error !== null && 'code' in error)
    return error.code as ErrorCode
  return error instanceof TypeError ? 'network' : 'internal_error'
}

/** Codes whose words name what they are about, with the fields that those words need. */
const namedFields = { world_is_newer: ['world', 'version'] } as const satisfies Partial<
  Record<ErrorCode, readonly string[]>
>

function namedOf(code: TextCode, fields: unknown) {
  const isNamed = (name: TextCode): name is keyof typeof namedFields => name in namedFields
  if (!isNamed(code) || typeof fields !== 'object' || fields === null) return null
  const values = Object.fromEntries(Object.entries(fields).filter(([, value]) => typeof value === 'string'))
  return namedFields[code].every((name) => name in values) ? { code, values } : null
}

/** Refusals that nobody can do anything about but us: what was sent is not what we sent. */
const unexpected: readonly string[] = ['invalid_request', 'not_recognized']

/** The event id that support finds the log line by: of what should not happen, not of a wrong password or a code that is over. */
function idOf(error: unknown): string | undefined {
  const body = errorBodyOf(error)
  const isRefusal = error instanceof Error && 'status' in error && Number(error.status) < 500
  return body === undefined || (isRefusal && !unexpected.includes(body.error)) ? undefined : body.event_id
}

/** What went wrong in the visitor's words, and the event id where support needs it. Also takes a bare code, or a code with fields. */
export function useErrorText(error: unknown): { text: string; eventId: string | undefined } {
  const { t, i18n } = useTranslation()
  const code: TextCode = errorCodeOf(error)
  const { resource, limit } = errorBodyOf(error)?.fields ?? {}
  if (resource === 'manual_backups_count' && typeof limit === 'number')
    return { text: t('errors.manual_backups_count', { limit }), eventId: idOf(error) }
  // An operation's stands beside its code.
  const { reason } = (errorBodyOf(error) ?? (error as { fields?: { reason?: unknown } } | null))?.fields ?? {}
  if (code === 'server_is_expired' && reason === 'withdrawn')
    return { text: t('server.because.withdrawn'), eventId: idOf(error) }
  const named = namedOf(code, errorBodyOf(error)?.fields ?? (error as { fields?: unknown } | null)?.fields)
  return {
    text:
      named !== null
        ? t(`errorsNamed.${named.code}`, named.values)
        : i18n.exists(`errors.${code}`)
          ? t(`errors.${code}`)
          : t('errors.internal_error'),
    eventId: idOf(error),
  }
}
