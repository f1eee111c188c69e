/** What the simulator of PayPal can be told to get wrong, per order or for a seeded share of all orders. */
import { z } from 'zod'

export const forgeries = ['signature', 'body', 'webhook', 'stale', 'host', 'expired', 'amount', 'currency'] as const

export const faultsSchema = z
  .object({
    /** Copies of each webhook beyond the first. */
    duplicate: z.int().min(0).max(20),
    /** Milliseconds before a webhook is first sent. */
    delay: z.int().min(0),
    /** Webhooks of one change are sent newest first. */
    reorder: z.boolean(),
    /** Webhooks are never sent. */
    lose: z.boolean(),
    /**
     * Before the true webhooks comes one that says COMPLETED and that is not signed by us, was altered after signing,
     * is meant for another webhook, is old, names a certificate elsewhere or one that is over; or is signed by us but
     * of another amount or currency.
     */
    forge: z.enum(forgeries),
    /** What was captured is of another amount or currency, whoever asks. */
    mismatch: z.enum(['amount', 'currency']),
    /** The order is approved, or captured, and that is told, before the answer that makes it so leaves. */
    notifyFirst: z.enum(['create', 'capture']),
    /** Done, but the answer never comes: the connection is cut, or stays silent. */
    createTimeout: z.enum(['cut', 'silent']),
    captureTimeout: z.enum(['cut', 'silent']),
    refundTimeout: z.enum(['cut', 'silent']),
    /** Not done: 503. */
    createError: z.boolean(),
    /** The order is not made: this HTTP status and issue. */
    createRefusal: z.object({ status: z.int(), code: z.string() }),
    captureError: z.boolean(),
    retrieveError: z.boolean(),
    refundError: z.boolean(),
    /** A refund is made again: the request's key is over, and the account takes an invoice's number twice. */
    refundAgain: z.boolean(),
    /** The order is made as if without `payment_source`: CREATED, and the payer's link is called `approve`. */
    approveLink: z.boolean(),
    /** What a capture becomes: waiting (see `settleCapture`), or declined although the order is completed. */
    capture: z.enum(['PENDING', 'DECLINED', 'FAILED']),
    /** The first captures are answered 422 with this issue. */
    refuse: z.object({ issue: z.string(), times: z.int().min(1).default(1) }),
    /** What a refund becomes at first (see `settleRefund`). */
    refund: z.enum(['PENDING', 'FAILED', 'CANCELLED']),
  })
  .partial()
export type Faults = z.infer<typeof faultsSchema>
