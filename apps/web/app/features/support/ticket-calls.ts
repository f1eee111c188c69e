/** What the form needs once someone types: loaded apart from the page, which is read more often than filled in. */
import type { z } from 'zod'
import { createTicket } from '@wakestone/contract/accounts/support-routes'
import { createTicketBody } from '@wakestone/contract/accounts/support'
import { emailSchema } from '@wakestone/contract/validation'
import { api } from '#app/api/client.ts'

/** A visitor has to say where to answer; users are answered at their account's address. */
export const visitorTicketBody = createTicketBody.extend({ email: emailSchema })
export const userTicketBody = createTicketBody.extend({ email: emailSchema.optional().catch(undefined) })

export const sendTicket = (body: z.output<typeof createTicketBody>) => api(createTicket, { body })
