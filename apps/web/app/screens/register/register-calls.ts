/** What the form needs once someone types: loaded apart from the page, which is read more often than filled in. */
import { z } from 'zod'
import { ApiError } from '@wakestone/contract/client'
import { checkUsername, register } from '@wakestone/contract/accounts/users-routes'
import { registerBody } from '@wakestone/contract/accounts/user'
import { usernameSchema } from '@wakestone/contract/validation'
import { api } from '#app/api/client.ts'

/** The body, of which the terms are a field like any other. */
export const registerForm = registerBody.extend({ accepted_tos: z.boolean().refine(Boolean, 'terms') })

export const sendRegistration = (body: z.output<typeof registerForm>) => api(register, { body })

/** Whether a name is free. Unknown when it is no name, or no clear answer came: the submit asks again anyway. */
export async function askForUsername(name: string): Promise<'free' | 'taken' | 'unknown'> {
  if (!usernameSchema.safeParse(name).success) return 'unknown'
  try {
    await api(checkUsername, { params: { name } })
    return 'free'
  } catch (error) {
    return error instanceof ApiError && error.body.error === 'resource_already_exists' ? 'taken' : 'unknown'
  }
}
