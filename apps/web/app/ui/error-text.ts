import { useTranslation } from 'react-i18next'
import { ApiError } from '@wakestone/contract/client'
import { type ErrorCode, errorCodes } from '@wakestone/contract/errors'

/** The code of an error: one of the catalogue, or `network` when no answer came. */
export function errorCodeOf(error: unknown): ErrorCode | 'network' {
  if (error instanceof ApiError) return error.body.error
  if (typeof error === 'string' && errorCodes.includes(error as ErrorCode)) return error as ErrorCode
  if (error instanceof TypeError) return 'network'
  return 'internal_error'
}

/** What went wrong in the visitor's words, and the event id when the API gave one. Also takes a bare code. */
export function useErrorText(error: unknown): { text: string; eventId: string | undefined } {
  const { t } = useTranslation()
  const code = errorCodeOf(error)
  return {
    text: t(`errors.${code}`),
    eventId: error instanceof ApiError ? error.body.event_id : undefined,
  }
}
