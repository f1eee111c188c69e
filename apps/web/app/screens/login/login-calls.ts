/** What the form needs once someone types: loaded apart from the page, which is read more often than filled in. */
import type { z } from 'zod'
import { loginLocal } from '@wakestone/contract/routes/users'
import { loginBody } from '@wakestone/contract/user'
import { api } from '#app/api/client.ts'

export { loginBody }

export const logIn = (body: z.output<typeof loginBody>) => api(loginLocal, { body })
