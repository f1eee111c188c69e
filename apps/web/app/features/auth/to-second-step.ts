import { redirect } from 'react-router'
import { errorBodyOf } from '#app/ui/error-text.ts'

/** For actions that sign in: leads on where an account wants a second step; no other error is its business. */
export function toSecondStep(error: unknown, request: Request, language: string): Record<string, string> {
  if (errorBodyOf(error)?.error !== 'second_factor_required') return {}
  throw redirect(`/${language}/login/second-step${new URL(request.url).search}`)
}
