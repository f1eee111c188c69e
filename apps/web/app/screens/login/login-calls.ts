/** What the form needs once someone types: loaded apart from the page, which is read more often than filled in. */
import type { z } from 'zod'
import { loginLocal } from '@wakestone/contract/accounts/users-routes'
import { loginBody } from '@wakestone/contract/accounts/user'
import { api } from '#app/api/client.ts'
import { errorBodyOf } from '#app/ui/error-text.ts'

export { loginBody }

/** @returns whether a second step is asked. */
export async function logIn(body: z.output<typeof loginBody>): Promise<boolean> {
  try {
    await api(loginLocal, { body })
    return false
  } catch (error) {
    if (errorBodyOf(error)?.error !== 'second_factor_required') throw error
    return true
  }
}
