/** What became of a call. */
import { ApiError } from '@wakestone/contract/client'

/** `success`, or the code it was refused with, by the API or by the database. Whatever else went wrong is thrown. */
export const outcomeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'success',
    (error: { code?: string; body?: { error: string } }) => {
      const code = error.body?.error ?? error.code
      if (code === undefined) throw error
      return code
    },
  )

/** The code of the error that a call ends with, and what it concerns. */
export const refusalOf = (call: Promise<unknown>) =>
  call.then(
    () => ({ error: 'success', fields: undefined }),
    (error: unknown) => {
      if (!(error instanceof ApiError)) throw error
      return { error: error.body.error as string, fields: error.body.fields }
    },
  )
