/** What the simulators of PayU and PayNow can be told to get wrong, per order or for a seeded share of all orders. */
import { z } from 'zod'

export const faultsSchema = z
  .object({
    /** Copies of each notification beyond the first. */
    duplicate: z.int().min(0).max(20),
    /** Milliseconds before a notification is first sent. */
    delay: z.int().min(0),
    /** Notifications are sent newest first. */
    reorder: z.boolean(),
    /** Notifications are never sent. */
    lose: z.boolean(),
    /** Before the true ones comes a COMPLETED that is not signed by us, or signed but of another amount or currency. */
    forge: z.enum(['signature', 'amount', 'currency']),
    /** The order itself is of another amount, whoever asks. */
    mismatch: z.boolean(),
    /** The order is paid, and that is told, before the answer to its creation leaves. */
    notifyFirst: z.boolean(),
    /** The order is made, but the answer never comes: the connection is cut, or stays silent. */
    createTimeout: z.enum(['cut', 'silent']),
    /** The order is not made: 503. */
    createError: z.boolean(),
    /** The order is not made: this HTTP status and error code of the provider. */
    createRefusal: z.object({ status: z.int(), code: z.string() }),
    /** Money is only reserved: the shop has to take it. Of PayU. */
    capture: z.boolean(),
    /** The payer begins so many times anew before they pay. Of PayNow. */
    abandon: z.int().min(0).max(5),
    /** The order cannot be retrieved: 503. */
    retrieveError: z.boolean(),
    /** A refund is made, but the answer never comes; is not made: 503; or is made and comes to nothing. */
    refund: z.enum(['cut', 'error', 'fail']),
  })
  .partial()
export type Faults = z.infer<typeof faultsSchema>
